import type { Caller } from '../caller.ts';

/** Tells, whenever it is asked, whether the client has gone away. */
export function watchClient(caller: Caller): () => boolean {
  let hasLeft = false;
  caller.onAbort(() => {
    hasLeft = true;
  });
  return () => hasLeft;
}
