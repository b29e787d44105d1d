import type { Caller } from '../../base/caller.ts';

/** Returns a function that reports whether the client has disconnected. */
export function watchClient(caller: Caller): () => boolean {
  let hasLeft = false;
  caller.onAbort(() => {
    hasLeft = true;
  });
  return () => hasLeft;
}
