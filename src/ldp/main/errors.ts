import { AppError, type ErrorCode, type ErrorData, toErrorData } from '../../errors.ts';

/** The messages that clients see when a request for an LDP resource is rejected. */
const messages = {
  gone: 'It was deleted, and its URI is never used again.',
  'resource-not-found': 'There is no such resource.',
  'precondition-failed': 'The resource is not in the state that the request asks for.',
  'precondition-required': 'Say with If-Match which state of the resource you have seen.',
  'reserved-name': 'Names that end in .meta belong to the descriptions of binaries.',
  'type-conflict': 'Of what kind a resource is, and its interaction model, never change.',
  overloaded: 'Others change this resource all the time; try again later.',
  cancelled: 'The client went away before anything was stored.',
} as const satisfies Partial<Record<ErrorCode, string>>;

function ldpError(code: keyof typeof messages, uri: string): ErrorData {
  const details = code === 'overloaded' ? { uri, retryAfter: 1 } : { uri };
  return toErrorData(new AppError(code, messages[code], details));
}

export function ldpFailure(
  code: keyof typeof messages,
  uri: string,
): { readonly ok: false; readonly error: ErrorData } {
  return { ok: false, error: ldpError(code, uri) };
}
