import type { EncodedChanges, GraphGrowth } from '../../pool/change-messages.ts';
import type { Transaction } from '../main/transaction.ts';
import type { PatchReference } from '../patch/patch.ts';

/** The changes of a large transaction, worked out in a pool thread and ready to install. */
export interface PreparedChanges {
  /** The graphs that change. */
  readonly growth: readonly GraphGrowth[];
  /** The graphs on whose state the changes depend, including all that change. */
  readonly graphs: readonly string[];
  /** See `DeltaRun`; null if no quads change. */
  readonly run: SharedArrayBuffer | null;
  /** Null if no quads change, and for a store in memory. */
  readonly patch: PatchReference | null;
  /** Only for a shared log: what is appended, and then installed instead of `run`. */
  readonly encoded?: EncodedChanges;
  /** The graphs that have changed since the snapshot on which the changes were worked out. */
  readonly changedSince: ChangedGraphs;
}

/** The graphs that have changed since a commit. */
export class ChangedGraphs {
  readonly #names = new Set<string>();
  #areAll = false;

  add(name: string): void {
    this.#names.add(name);
  }

  /** From now on all graphs count as changed. */
  addAll(): void {
    this.#areAll = true;
  }

  has(name: string): boolean {
    return this.#areAll || this.#names.has(name);
  }
}

/** A transaction of one operation whose changes may be known already. */
export interface PreparedTransaction extends Transaction {
  readonly prepared?: PreparedChanges;
}

/** Whether the changes are still the effect of the operation. */
export function isValid({ graphs, changedSince }: Pick<PreparedChanges, 'graphs' | 'changedSince'>): boolean {
  return !graphs.some((graph) => changedSince.has(graph));
}
