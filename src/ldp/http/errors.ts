import type { Restricted } from '../../base/graph-access.ts';
import { type Failure, failure, noSuchResource, wrongState } from '../../errors.ts';
import type { Ldp } from './service.ts';

/** Returns the error 404 or 410 for a URI without a resource that the client sees. */
export function missing(space: Ldp['space'], uri: string, client: Restricted): Failure {
  return space.shown(uri, client) === 'gone'
    ? failure('gone', `<${uri}> was deleted, and its URI is never used again.`, { uri })
    : noSuchResource(uri);
}

export function unsupportedMethod(method: string, uri: string): Failure {
  return failure('method-not-allowed', `${method} is not supported by this resource.`, { uri });
}

export function notAcceptable(uri: string, available: readonly string[]): Failure {
  const message = 'The resource is not available in an acceptable type.';
  return failure('not-acceptable', message, { uri, available });
}

export function preconditionFailed(uri: string): Failure {
  return wrongState('The resource', { uri });
}
