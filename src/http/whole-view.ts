import { seesEverything } from '../base/graph-access.ts';
import { errorData } from '../errors.ts';
import { type Handler, rejection } from './server/message.ts';

/** The error for clients that may not read all graphs (http-api G-164). */
export const needsAllGraphs = errorData(
  'forbidden',
  'This describes the data as a whole, so it needs credentials that may read all graphs.',
);

/** Wraps a handler whose responses describe the data as a whole. */
export function forWholeView(handle: Handler): Handler {
  return (request, rest) => (seesEverything(request) ? handle(request, rest) : rejection(needsAllGraphs));
}
