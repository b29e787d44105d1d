import { type ErrorData, fromErrorData, type Result } from '../../errors.ts';
import type { GraphOperation, TransactionResult } from '../main/transaction.ts';
import type { ChangeRequest, WorkedOut } from '../messages.ts';
import { isValid, type PreparedChanges, type PreparedTransaction } from '../planning/prepared-changes.ts';
import { type BigWriteHost, commitBigWrite } from './commit.ts';

/** A transaction to commit and to send a result for. */
export interface Member {
  readonly id: number;
  readonly transaction: PreparedTransaction;
}

/** A prepared transaction to install. */
export interface Installation extends Member {
  readonly prepared: PreparedChanges;
  /** Whether the transaction has exclusive write access to the graphs that it changes. */
  readonly holds: boolean;
  /** Receives the result; undefined if the prepared changes were no longer valid. */
  readonly settle: (result: Result<TransactionResult> | undefined) => void;
}

interface BigWriteQueueParts extends Pick<BigWriteHost, 'store' | 'directory' | 'lease'> {
  /**
   * Runs a request in a pool thread; `work` is the number that `endWork` receives with the result.
   */
  readonly post: (work: number, request: ChangeRequest) => void;
  /** Called when there is work to do between groups, or a transaction to install. */
  readonly wake: () => void;
  readonly reject: (member: Member, error: ErrorData) => void;
  /** Receives members again that had to wait for a transaction with exclusive access. */
  readonly requeue: (members: readonly Member[]) => void;
}

const noGraphs: ReadonlySet<string> = new Set();

/**
 * The large transactions in progress in a store thread (see `commit.ts`), and the members that
 * wait for one of them.
 */
export class BigWriteQueue {
  readonly #parts: BigWriteQueueParts;
  readonly #running = new Set<Promise<void>>();
  readonly #installations: Installation[] = [];
  readonly #turns: (() => void)[] = [];
  /** The callbacks of the requests that pool threads are working on, by number. */
  readonly #works = new Map<number, (result: WorkedOut) => void>();
  #workCount = 0;
  #blocked = noGraphs;
  /** Members that must wait until their graphs are free again. */
  readonly #heldBack: Member[] = [];
  /** Resolves when no transaction has exclusive access to graphs any more. */
  #free: Promise<void> = Promise.resolve();
  #closing: ErrorData | undefined;

  constructor(parts: BigWriteQueueParts) {
    this.#parts = parts;
  }

  get hasWork(): boolean {
    return this.#installations.length > 0 || this.#turns.length > 0;
  }

  begin(member: Member, operation: GraphOperation): void {
    const { store, directory, lease } = this.#parts;
    const { id, transaction } = member;
    const host: BigWriteHost = {
      store,
      directory,
      lease,
      turn: (work) => this.#turn(work),
      workOut: (request) => this.#workOut(request),
      install: (prepared, holds) =>
        this.#install({ id, transaction: { ...transaction, prepared }, prepared, holds }),
      hold: (graphs) => this.#hold(graphs),
    };
    const running = commitBigWrite(transaction, operation, host).then((error) => {
      if (error) this.#parts.reject(member, error);
      this.#running.delete(running);
    });
    this.#running.add(running);
  }

  /** Runs one of the pieces of work that wait for the gap between two groups. */
  async takeTurn(): Promise<void> {
    const turn = this.#turns.shift();
    if (!turn) return;
    turn();
    // Messages that arrived meanwhile are handled before the next piece of work.
    await new Promise((resolve) => setImmediate(resolve));
  }

  /**
   * Returns the oldest installation that is still valid. Settles the invalid ones before it with
   * undefined.
   */
  nextInstallation(): Installation | undefined {
    for (;;) {
      const next = this.#installations.shift();
      if (!next || (isValid(next.prepared) && (next.holds || !this.#isBlocked(next.prepared)))) return next;
      next.settle(undefined);
    }
  }

  /** Returns the graphs that no other member of a group with this installation may change. */
  blockedBeside(installation: Installation | undefined): ReadonlySet<string> {
    return installation?.holds ? noGraphs : this.#blocked;
  }

  /** Keeps a member until its graphs are free again. */
  holdBack(member: Member): void {
    this.#heldBack.push(member);
  }

  endWork(work: number, result: WorkedOut): void {
    this.#works.get(work)?.(result);
    this.#works.delete(work);
  }

  /** Ends all transactions that are not being committed yet with the error `shutting-down`. */
  close(error: ErrorData): void {
    this.#closing = error;
    for (const work of [...this.#works.keys()]) this.endWork(work, { ok: false, error });
  }

  /** Resolves when all transactions have ended. */
  async ended(): Promise<void> {
    await Promise.all(this.#running);
  }

  #turn<T>(work: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#requireOpen();
      this.#turns.push(() => {
        try {
          this.#requireOpen();
          resolve(work());
        } catch (error) {
          reject(error as Error);
        }
      });
      this.#parts.wake();
    });
  }

  #workOut(request: ChangeRequest): Promise<Result<never>> {
    if (this.#closing) return Promise.resolve({ ok: false, error: this.#closing });
    const work = ++this.#workCount;
    return new Promise((resolve) => {
      // The result has the type that belongs to the kind of request.
      this.#works.set(work, resolve as (result: WorkedOut) => void);
      this.#parts.post(work, request);
    });
  }

  #install(installation: Omit<Installation, 'settle'>): Promise<Result<TransactionResult> | undefined> {
    return new Promise((settle) => {
      this.#requireOpen();
      this.#installations.push({ ...installation, settle });
      this.#parts.wake();
    });
  }

  #requireOpen(): void {
    if (this.#closing) throw fromErrorData(this.#closing);
  }

  #isBlocked({ graphs }: PreparedChanges): boolean {
    return graphs.some((graph) => this.#blocked.has(graph));
  }

  /** Only one transaction at a time has exclusive access to graphs. */
  async #hold(graphs: readonly string[]): Promise<() => void> {
    const before = this.#free;
    let free = () => {};
    this.#free = new Promise((resolve) => {
      free = resolve;
    });
    await before;
    this.#blocked = new Set(graphs);
    return () => {
      this.#blocked = noGraphs;
      this.#parts.requeue(this.#heldBack.splice(0));
      free();
    };
  }
}
