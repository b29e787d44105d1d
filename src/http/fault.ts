import { randomUUID } from 'node:crypto';
import { toErrorData } from '../errors.ts';
import type { HttpReply, HttpRequest } from './message.ts';
import { problemReply, statusOfCode } from './problem.ts';
import { shownTarget } from './shown-target.ts';

/** Where faults of the server are written down. */
export interface FaultLog {
  error(details: object, message: string): void;
}

/**
 * The reply to something that was thrown while a request was answered. An error of the catalogue says itself what
 * the client is told; a fault of the server is logged under an id, and the client gets the id only.
 */
export function faultReply(error: unknown, request: HttpRequest, log: FaultLog): HttpReply {
  const data = toErrorData(error);
  if (statusOfCode(data.code) !== 500) return problemReply(data, request);
  const faultId = randomUUID();
  const { method, requestId } = request;
  const path = shownTarget(request.path);
  log.error({ err: error, faultId, requestId, method, path }, 'An internal error occurred in a request.');
  return problemReply(data, request, [], faultId);
}
