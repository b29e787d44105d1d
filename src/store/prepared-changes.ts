import type { GraphGrowth } from '../pool/change-messages.ts';
import type { PatchReference } from './patch.ts';
import type { Transaction } from './transaction.ts';

/** What a big transaction changes, worked out in a pool thread, ready to be taken over. */
export interface PreparedChanges {
  /** The graphs that change. */
  readonly growth: readonly GraphGrowth[];
  /** The graphs on whose state it depends; among them all that change. */
  readonly graphs: readonly string[];
  /** See `DeltaRun`; null when no quads change. */
  readonly run: SharedArrayBuffer | null;
  /** Null when no quads change, and where nothing is kept on disk. */
  readonly patch: PatchReference | null;
  /** The graphs that have changed since the snapshot on which it was worked out. */
  readonly changedSince: ReadonlySet<string>;
}

/** A transaction of one operation whose changes may be known already. */
export interface PreparedTransaction extends Transaction {
  readonly prepared?: PreparedChanges;
}

/** Whether the changes are still what the operation comes to. */
export function isValid({ graphs, changedSince }: Pick<PreparedChanges, 'graphs' | 'changedSince'>): boolean {
  return !graphs.some((graph) => changedSince.has(graph));
}
