import type { PendingCommit, StoreClient } from '../../store/main/client.ts';
import type { TransactionResult } from '../../store/main/transaction.ts';
import { isBig } from '../../store/priority.ts';
import type { PrefixPair } from '../../store/registry/prefix-operation.ts';

export type Committer = Pick<StoreClient, 'beginCommit'>;

/**
 * Returns a committer of uploads that also stores prefixes, unless they are stored already: in the
 * same transaction, or after a large one, which pool threads work out only if it is a single
 * operation.
 */
export function storingPrefixes(
  learned: readonly PrefixPair[],
  store: Pick<StoreClient, 'commit' | 'graphs'>,
  committer: Committer,
): Committer {
  if (learned.length === 0) return committer;
  const learning = { kind: 'learn-prefixes', learned } as const;
  const beginCommit: Committer['beginCommit'] = (transaction) => {
    const { operations } = transaction;
    if (!isBig(transaction, (graph) => store.graphs.get(graph)?.size ?? 0)) {
      const pending = committer.beginCommit({ ...transaction, operations: [...operations, learning] });
      return withResult(pending, (result) => ({ ...result, outcomes: result.outcomes.slice(0, -1) }));
    }
    const pending = committer.beginCommit(transaction);
    const result = pending.result.then(async (committed) => {
      if (!committed.ok) return committed;
      const stored = await store.commit({ preconditions: [], operations: [learning] });
      return stored.ok ? committed : stored;
    });
    return { ...pending, result };
  };
  return { beginCommit };
}

function withResult(
  pending: PendingCommit,
  change: (result: TransactionResult) => TransactionResult,
): PendingCommit {
  const result = pending.result.then((committed) =>
    committed.ok ? ({ ok: true, value: change(committed.value) } as const) : committed,
  );
  return { ...pending, result };
}
