import type { StartSet } from '../../../src/library/client/entry.ts';
import { client } from '../app/client.ts';

/**
 * Returns the size of a set of resources, or null where it takes too long to count them. The first
 * line of the results says it, so no more is read.
 */
export async function sizeOfSet(starts: StartSet, signal?: AbortSignal): Promise<number | null> {
  let size: number | null = null;
  const onStart = (start: { readonly total: number | null }) => {
    size = start.total;
  };
  for await (const _ of client.ldpath.batchOfPath('.', { starts, signal, onStart })) break;
  return size;
}
