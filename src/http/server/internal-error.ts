import { randomUUID } from 'node:crypto';
import { toErrorData } from '../../errors.ts';
import { problemResponse, statusOfCode } from '../problem.ts';
import type { HttpRequest, HttpResponse } from './message.ts';
import { shownTarget } from './shown-target.ts';

/** The log for internal errors. */
export interface ErrorLog {
  error(details: object, message: string): void;
}

/**
 * Returns the response for an exception thrown while a request was handled. An error of the
 * catalogue is described to the client. An internal error is logged under an id, and the client
 * gets only that id.
 */
export function exceptionResponse(error: unknown, request: HttpRequest, log: ErrorLog): HttpResponse {
  const data = toErrorData(error);
  if (statusOfCode(data.code) !== 500) return problemResponse(data, request);
  const faultId = randomUUID();
  const { method, requestId } = request;
  const path = shownTarget(request.path);
  log.error({ err: error, faultId, requestId, method, path }, 'An internal error occurred in a request.');
  return problemResponse(data, request, [], faultId);
}

type Handle = (request: HttpRequest) => HttpResponse | Promise<HttpResponse>;

/**
 * Wraps a handler so that it returns a response instead of throwing: what is added to each response
 * is then added to this one, too.
 */
export function withoutExceptions(handle: Handle, log: ErrorLog): Handle {
  return (request) => {
    const respond = (error: unknown) => exceptionResponse(error, request, log);
    try {
      const response = handle(request);
      return response instanceof Promise ? response.catch(respond) : response;
    } catch (error) {
      return respond(error);
    }
  };
}
