import type { OnAbort } from './payload.ts';

/** Tells, whenever it is asked, whether the client has gone away. */
export function watchClient(onAbort: OnAbort): () => boolean {
  let hasLeft = false;
  onAbort(() => {
    hasLeft = true;
  });
  return () => hasLeft;
}
