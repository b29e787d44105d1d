import { type ErrorData, fromErrorData, type Result } from '../errors.ts';
import { type BulkHost, commitInBulk } from './bulk-commit.ts';
import type { ChangeRequest, WorkedOut } from './messages.ts';
import { isValid, type PreparedChanges, type PreparedTransaction } from './prepared-changes.ts';
import type { GraphOperation, TransactionResult } from './transaction.ts';

/** A transaction that is to be committed and answered. */
export interface Member {
  readonly id: number;
  readonly transaction: PreparedTransaction;
}

/** A prepared one that is to be installed. */
export interface Installation extends Member {
  readonly prepared: PreparedChanges;
  /** Whether it holds the graphs that it changes. */
  readonly holds: boolean;
  /** Told what it came to; undefined when it was not valid any more. */
  readonly settle: (result: Result<TransactionResult> | undefined) => void;
}

interface BulkCommitsParts extends Pick<BulkHost, 'store' | 'directory' | 'lease'> {
  /** Has a pool thread do something; `work` is a number for `endWork`. */
  readonly post: (work: number, request: ChangeRequest) => void;
  /** Called when there is something to do between groups, or to install. */
  readonly wake: () => void;
  readonly refuse: (member: Member, error: ErrorData) => void;
  /** Takes members that had to wait for graphs that were held. */
  readonly requeue: (members: readonly Member[]) => void;
}

const noGraphs: ReadonlySet<string> = new Set();

/**
 * The big transactions of a store thread that are under way (see `bulk-commit.ts`), and who has to
 * wait for one.
 */
export class BulkCommits {
  readonly #parts: BulkCommitsParts;
  readonly #running = new Set<Promise<void>>();
  readonly #installations: Installation[] = [];
  readonly #turns: (() => void)[] = [];
  /** What pool threads were asked for, by number. */
  readonly #works = new Map<number, (result: WorkedOut) => void>();
  #workCount = 0;
  #held = noGraphs;
  /** Those that must wait for graphs that are held. */
  readonly #heldBack: Member[] = [];
  /** Resolves when nobody holds graphs. */
  #free: Promise<void> = Promise.resolve();
  #closing: ErrorData | undefined;

  constructor(parts: BulkCommitsParts) {
    this.#parts = parts;
  }

  get hasWork(): boolean {
    return this.#installations.length > 0 || this.#turns.length > 0;
  }

  begin(member: Member, operation: GraphOperation): void {
    const { store, directory, lease } = this.#parts;
    const { id, transaction } = member;
    const host: BulkHost = {
      store,
      directory,
      lease,
      turn: (work) => this.#turn(work),
      workOut: (request) => this.#workOut(request),
      install: (prepared, holds) =>
        this.#install({ id, transaction: { ...transaction, prepared }, prepared, holds }),
      hold: (graphs) => this.#hold(graphs),
    };
    const running = commitInBulk(transaction, operation, host).then((error) => {
      if (error) this.#parts.refuse(member, error);
      this.#running.delete(running);
    });
    this.#running.add(running);
  }

  /** Does one of the things that are to be done between groups. */
  async takeTurn(): Promise<void> {
    const turn = this.#turns.shift();
    if (!turn) return;
    turn();
    // What came meanwhile does not wait for more of them.
    await new Promise((resolve) => setImmediate(resolve));
  }

  /** The oldest that is still valid. Others are told that they are not. */
  nextInstallation(): Installation | undefined {
    for (;;) {
      const next = this.#installations.shift();
      if (!next || (isValid(next.prepared) && (next.holds || !this.#isHeld(next.prepared)))) return next;
      next.settle(undefined);
    }
  }

  /** The graphs that nobody may change in a group with that installation. */
  heldBeside(installation: Installation | undefined): ReadonlySet<string> {
    return installation?.holds ? noGraphs : this.#held;
  }

  /** Takes one that must wait for graphs that are held. */
  holdBack(member: Member): void {
    this.#heldBack.push(member);
  }

  endWork(work: number, result: WorkedOut): void {
    this.#works.get(work)?.(result);
    this.#works.delete(work);
  }

  /** All that are not being committed end with the error `shutting-down`. */
  close(error: ErrorData): void {
    this.#closing = error;
    for (const work of [...this.#works.keys()]) this.endWork(work, { ok: false, error });
  }

  /** Resolves when all have ended. */
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
      // What comes back is what the kind of the request gives.
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

  #isHeld({ graphs }: PreparedChanges): boolean {
    return graphs.some((graph) => this.#held.has(graph));
  }

  /** One transaction holds graphs at a time. */
  async #hold(graphs: readonly string[]): Promise<() => void> {
    const before = this.#free;
    let free = () => {};
    this.#free = new Promise((resolve) => {
      free = resolve;
    });
    await before;
    this.#held = new Set(graphs);
    return () => {
      this.#held = noGraphs;
      this.#parts.requeue(this.#heldBack.splice(0));
      free();
    };
  }
}
