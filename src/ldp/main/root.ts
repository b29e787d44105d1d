import type { ErrorData } from '../../errors.ts';
import type { StoreClient } from '../../store/main/client.ts';
import type { LdpSpace } from './space.ts';

/**
 * Creates the root container at the first start on a data directory (http-api L-1). An error must
 * not stop the server: the disk may be full, but all data can still be read.
 */
export async function createRoot(
  space: LdpSpace,
  store: Pick<StoreClient, 'commit'>,
): Promise<ErrorData | undefined> {
  const { root: target } = space;
  if (space.entry(target) !== undefined) return undefined;
  const operation = { kind: 'ldp-root', target, label: 'Root container' } as const;
  const committed = await store.commit({ preconditions: [], operations: [operation] });
  return committed.ok ? undefined : committed.error;
}
