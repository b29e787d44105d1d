import { type ErrorCode, type Failure, failure } from '../../errors.ts';

/** The messages that clients see when a request for an LDP resource is rejected. */
const messages = {
  gone: 'It was deleted, and its URI is never used again.',
  'resource-not-found': 'There is no such resource.',
  'precondition-failed': 'The resource is not in the state that the request asks for.',
  'precondition-required': 'If-Match is required, with an entity tag of the state that you have seen.',
  'reserved-name': 'Names that end in .meta are reserved for the descriptions of binaries.',
  'type-conflict': 'The kind and the interaction model of a resource never change.',
  overloaded: 'Other clients keep changing this resource; try again later.',
  cancelled: 'The client disconnected before anything was stored.',
} as const satisfies Partial<Record<ErrorCode, string>>;

export function ldpFailure(code: keyof typeof messages, uri: string): Failure {
  const details = code === 'overloaded' ? { uri, retryAfter: 1 } : { uri };
  return failure(code, messages[code], details);
}
