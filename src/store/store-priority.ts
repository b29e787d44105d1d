import { type SystemThread, stepBack, stepForward } from '../system-thread.ts';
import type { Operation, Transaction } from './transaction.ts';

/** Changes of this many quads take the store thread about a tenth of a second. */
const BIG_QUADS = 1 << 14;

/** The store thread's priority: it stands back while big transactions are all that it has to do, so that nobody waits behind one who does. */
export class StorePriority {
  readonly #thread: SystemThread | undefined;
  readonly #hostIsBusy: () => boolean;
  #big = 0;
  #small = 0;
  #isBack = false;

  /** `thread`: undefined when its priority can't be changed. `hostIsBusy`: whether it is not to stand back anyway. */
  constructor(thread: SystemThread | undefined, hostIsBusy: () => boolean = () => false) {
    this.#thread = thread;
    this.#hostIsBusy = hostIsBusy;
  }

  /** A transaction was handed in. */
  begin(isBig: boolean): void {
    if (isBig) this.#big++;
    else this.#small++;
    this.#update();
  }

  /** It was answered. */
  end(isBig: boolean): void {
    if (isBig) this.#big--;
    else this.#small--;
    this.#update();
  }

  #update(): void {
    const mayStandBack = this.#big > 0 && this.#small === 0 && !this.#hostIsBusy();
    if (!this.#thread || mayStandBack === this.#isBack) return;
    this.#isBack = mayStandBack;
    if (mayStandBack) stepBack(this.#thread);
    else stepForward(this.#thread);
  }
}

/** `sizeOf` says how many quads a graph has. */
export function isBig({ operations }: Transaction, sizeOf: (graph: string) => number): boolean {
  let quads = 0;
  for (const operation of operations) quads += quadsOf(operation, sizeOf);
  return quads >= BIG_QUADS;
}

/** At most. */
export function quadsOf(operation: Operation, sizeOf: (graph: string) => number): number {
  const removed = emptied(operation).reduce((sum, graph) => sum + sizeOf(graph), 0);
  if ('block' in operation) return removed + operation.block.quads.length / 4;
  return 'removals' in operation
    ? removed + (operation.additions.quads.length + operation.removals.quads.length) / 4
    : removed;
}

/** The graphs that may lose all their triples. */
function emptied(operation: Operation): readonly string[] {
  if (operation.kind === 'update') return operation.cleared;
  return operation.kind === 'drop' || operation.kind === 'replace' ? [operation.graph] : [];
}
