import type { Caller } from '../../src/base/caller.ts';

/**
 * A client request that never disconnects, or disconnects when the listener given to `onAbort` is
 * called.
 */
export function fakeCaller(onAbort: Caller['onAbort'] = () => {}, remoteAddress = '127.0.0.1'): Caller {
  return { remoteAddress, user: undefined, access: undefined, requestLine: 'GET /', onAbort };
}
