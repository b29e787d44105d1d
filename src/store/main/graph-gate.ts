import { LDP_GRAPH } from '../../snapshot/graphs/system-graph.ts';
import { graphsOf } from '../graphs/rejection.ts';
import type { Operation, Transaction } from './transaction.ts';

/** `dataset`: all graphs except those of the LDP space, new ones included. */
export type HeldGraphs = readonly string[] | ReadonlySet<string> | 'dataset';

type Blocked = ReadonlySet<string> | 'dataset';

/** Makes transactions wait that may change graphs to which another one has exclusive access. */
export class GraphGate {
  #blocked: Blocked | undefined;
  #turn: Promise<void> = Promise.resolve();

  /** Resolves with exclusive access when it is the caller's turn; the returned function ends it. */
  async hold(graphs: HeldGraphs): Promise<() => void> {
    const before = this.#turn;
    let end = () => {};
    this.#turn = new Promise((resolve) => {
      end = resolve;
    });
    await before;
    this.#blocked = graphs === 'dataset' ? graphs : new Set(graphs);
    return () => {
      this.#blocked = undefined;
      end();
    };
  }

  /** Whether a transaction has to wait now. */
  stops({ operations }: Transaction): boolean {
    const blocked = this.#blocked;
    return blocked !== undefined && operations.some((operation) => mayChange(operation, blocked));
  }

  /** Resolves when all holders, and those queued at the time of the call, have finished. */
  opened(): Promise<void> {
    return this.#turn;
  }
}

function mayChange(operation: Operation, blocked: Blocked): boolean {
  switch (operation.kind) {
    case 'register':
    case 'content':
    case 'store-program':
    case 'remove-program':
    case 'store-prefix':
    case 'remove-prefix':
    case 'learn-prefixes':
      return false;
    // The graphs that these change depend on the data.
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
      return blocked === 'dataset' || graphsOf(operation).some((graph) => blocked.has(graph));
    default:
      if (blocked === 'dataset') return false;
      return (
        blocked.has(LDP_GRAPH) || Array.from(blocked).some((graph) => graph.startsWith(operation.target))
      );
  }
}
