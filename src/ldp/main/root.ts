import type { ErrorData } from '../../errors.ts';
import type { StoreClient } from '../../store/main/client.ts';
import type { LdpSpace } from './space.ts';

/**
 * Makes the root container when the data directory sees its first start (http-api L-1). What the error says keeps the
 * server from nothing else: it may be that there is no room to write, and all can still be read.
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
