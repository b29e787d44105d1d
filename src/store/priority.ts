import { lowerPriority, restorePriority, type SystemThread } from '../base/thread-priority.ts';
import type { Operation, Transaction } from './main/transaction.ts';

/** Changes of this many quads keep the store thread busy for about a tenth of a second. */
const BIG_QUADS = 1 << 14;

/**
 * The store thread's priority: it is low while the thread has only large transactions to do, so
 * that other threads do not have to wait behind them.
 */
export class StorePriority {
  readonly #thread: SystemThread | undefined;
  #big = 0;
  #small = 0;
  #isBack = false;
  #isAllowed = true;

  /** `thread`: undefined if its priority can't be changed. */
  constructor(thread: SystemThread | undefined) {
    this.#thread = thread;
  }

  /**
   * Sets whether the priority may be lowered; at first it may. Takes effect with the next
   * transaction that begins or ends.
   */
  allowLow(allowed: boolean): void {
    this.#isAllowed = allowed;
  }

  /** A transaction was submitted. */
  begin(isBig: boolean): void {
    if (isBig) this.#big++;
    else this.#small++;
    this.#update();
  }

  /** A transaction has its result. */
  end(isBig: boolean): void {
    if (isBig) this.#big--;
    else this.#small--;
    this.#update();
  }

  #update(): void {
    const mayLowerPriority = this.#big > 0 && this.#small === 0 && this.#isAllowed;
    if (!this.#thread || mayLowerPriority === this.#isBack) return;
    this.#isBack = mayLowerPriority;
    if (mayLowerPriority) lowerPriority(this.#thread);
    else restorePriority(this.#thread);
  }
}

/** Whether a transaction is large. `sizeOf` returns the number of quads of a graph. */
export function isBig({ operations }: Transaction, sizeOf: (graph: string) => number): boolean {
  let quads = 0;
  for (const operation of operations) quads += quadsOf(operation, sizeOf);
  return quads >= BIG_QUADS;
}

/** Returns an upper bound for the number of quads that an operation changes. */
export function quadsOf(operation: Operation, sizeOf: (graph: string) => number): number {
  const removed = emptied(operation).reduce((sum, graph) => sum + sizeOf(graph), 0);
  if ('block' in operation) return removed + operation.block.quads.length / 4;
  return 'removals' in operation
    ? removed + (operation.additions.quads.length + operation.removals.quads.length) / 4
    : removed;
}

/** Returns the graphs that may lose all their triples. */
function emptied(operation: Operation): readonly string[] {
  if (operation.kind === 'update') return operation.cleared;
  return operation.kind === 'drop' || operation.kind === 'replace' ? [operation.graph] : [];
}
