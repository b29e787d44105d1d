import type { IncomingMessage } from 'node:http';
import { AppError } from '../../errors.ts';
import type { BodyStream, HttpRequest, HttpResponse } from '../server/message.ts';
import { responseFields } from './passed-fields.ts';

/** Bodies up to this length are received as a whole before anything is sent to the client. */
const WHOLE_BYTES = 64 * 1024;

/** Returns another process's response as that of this one. Rejects if it ends early. */
export async function passedResponse(
  incoming: IncomingMessage,
  { method, requestId }: Pick<HttpRequest, 'method' | 'requestId'>,
): Promise<HttpResponse> {
  const status = incoming.statusCode!;
  const headers = responseFields(incoming.rawHeaders, requestId !== undefined);
  const declared = incoming.headers['content-length'];
  const length = declared === undefined ? undefined : Number(declared);
  if (status === 204 || status === 304 || length === 0) {
    incoming.resume();
    return { status, headers };
  }
  if (method === 'HEAD') {
    incoming.resume();
    return { status, headers, ...(length !== undefined && { length }) };
  }
  if (length === undefined) return { status, headers, body: streamed(incoming) };
  if (length > WHOLE_BYTES) return { status, headers, body: streamed(incoming), length };
  return { status, headers, body: Buffer.concat(await incoming.toArray()) };
}

async function* streamed(incoming: IncomingMessage): BodyStream {
  try {
    yield* incoming;
  } catch (error) {
    throw new AppError('outcome-unknown', 'The response of the other process ended early.', {}, error);
  }
}
