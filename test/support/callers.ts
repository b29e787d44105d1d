import type { Caller } from '../../src/base/caller.ts';

/** A request of a client that never disconnects, or that does when the listener given to `onAbort` is called. */
export function fakeCaller(onAbort: Caller['onAbort'] = () => {}, remoteAddress = '127.0.0.1'): Caller {
  return { remoteAddress, user: undefined, requestLine: 'GET /', onAbort };
}
