import { graphsOf } from './graph-refusal.ts';
import { LDP_GRAPH } from './ldp-books.ts';
import type { Operation, Transaction } from './transaction.ts';

/** `dataset`: all graphs but those of the LDP space, new ones as well. */
export type HeldGraphs = readonly string[] | ReadonlySet<string> | 'dataset';

type Held = ReadonlySet<string> | 'dataset';

/** Lets transactions wait that may change graphs which one of them holds. */
export class GraphGate {
  #held: Held | undefined;
  #turn: Promise<void> = Promise.resolve();

  /** Resolves, when it is its turn, with what ends that. */
  async hold(graphs: HeldGraphs): Promise<() => void> {
    const before = this.#turn;
    let end = () => {};
    this.#turn = new Promise((resolve) => {
      end = resolve;
    });
    await before;
    this.#held = graphs === 'dataset' ? graphs : new Set(graphs);
    return () => {
      this.#held = undefined;
      end();
    };
  }

  /** Whether a transaction has to wait now. */
  stops({ operations }: Transaction): boolean {
    const held = this.#held;
    return held !== undefined && operations.some((operation) => mayChange(operation, held));
  }

  /** Resolves when all who hold graphs, or wait for that, have ended. */
  opened(): Promise<void> {
    return this.#turn;
  }
}

function mayChange(operation: Operation, held: Held): boolean {
  switch (operation.kind) {
    case 'register':
    case 'content':
      return false;
    // What these change follows from the data.
    case 'describe':
    case 'undescribe':
    case 'erase':
    case 'base':
      return true;
    case 'merge':
    case 'load':
    case 'replace':
    case 'drop':
    case 'edit':
    case 'update':
      return held === 'dataset' || graphsOf(operation).some((graph) => held.has(graph));
    default:
      if (held === 'dataset') return false;
      return held.has(LDP_GRAPH) || Array.from(held).some((graph) => graph.startsWith(operation.target));
  }
}
