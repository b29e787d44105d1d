import type { Disk } from '../../src/journal/disk/disk.ts';
import type { Store } from '../../src/store/thread/store.ts';
import { randomTransaction, toTransaction } from '../simulation/random-transactions.ts';
import { seededRandom } from '../simulation/sim-disk.ts';
import { type ModelTransaction, StoreModel } from '../simulation/store-model.ts';
import { commitBig } from '../support/big-write.ts';

/** How the process ends that writes a directory. */
export type Ending = 'closed' | 'killed';

/**
 * Groups of transactions: those before the checkpoint, then those before the directory is closed,
 * then the rest.
 */
export const groupsBeforeCheckpoint = 4;
export const groupsBeforeClosing = 8;
const groupCounts: Record<Ending, number> = { closed: groupsBeforeClosing, killed: 12 };

/** Content of resources, each of which takes a commit of its own, before all groups. */
export const contents = ['short', 'of two lines\n'.repeat(2), 'long '.repeat(40_000)].map((text, i) => ({
  resource: `http://example.org/content/${i}`,
  text,
}));

/** Groups of one transaction whose rows are in a file of its own. */
const bigGroups: readonly number[] = [6, 10];

/** What a directory is filled with; always the same. */
export function plannedGroups(ending: Ending): ModelTransaction[][] {
  const random = seededRandom(15);
  const groups = Array.from({ length: groupCounts[ending] }, (_, i) =>
    Array.from({ length: 1 + (i % 3) }, () => randomTransaction(random, () => 'no state')),
  );
  return groups.map((group, i) => (bigGroups.includes(i) ? [bigTransaction(i)] : group));
}

function bigTransaction(group: number): ModelTransaction {
  const rows = Array.from({ length: 40 }, (_, i) => [`<urn:s${i}>`, `<urn:p${group}>`, `"${i}"`] as const);
  return { preconditions: [], operations: [{ kind: 'merge', graph: 'urn:x:g1', rows }] };
}

/**
 * What there is at the end, and all that there may be when the end of the last group is lost:
 * newest first.
 */
export function plannedModels(ending: Ending): readonly StoreModel[] {
  let models = [new StoreModel(contents.length)];
  for (const group of plannedGroups(ending)) {
    const after = [models[0]!];
    for (const transaction of group) {
      const before = after[0]!;
      const { model } = before.apply(transaction, (sequence) => `state ${sequence}`);
      if (model !== before) after.unshift(model);
    }
    if (after.length > 1) models = after;
  }
  return models;
}

export async function commitGroup(
  store: Store,
  disk: Disk,
  index: number,
  group: readonly ModelTransaction[],
): Promise<void> {
  if (bigGroups.includes(index)) await commitBig(store, disk, toTransaction(group[0]!));
  else await store.commit(group.map(toTransaction));
}
