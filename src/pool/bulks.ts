import { type Caller, clientKey } from '../caller.ts';
import type { ErrorData, Result } from '../errors.ts';
import { Bulk, type BulkAnswer, type BulkRequest, type BulkWorkers } from './bulk.ts';
import type { Selection } from './evaluation.ts';
import { HeavySubmission, type HeavyWork } from './heavy-job.ts';
import { type LineLease, LineMemories } from './line-memories.ts';
import type { BulkOutput, Job } from './messages.ts';
import { monotonicMs } from './monotonic-clock.ts';
import { hasShareLeft } from './places.ts';
import type { Scheduler } from './scheduler.ts';
import { SelectionMap } from './selection-map.ts';
import type { PoolSettings } from './settings.ts';
import { StartCost } from './start-cost.ts';
import type { StartPack } from './start-pack.ts';

/**
 * Time after which a job of a batch is considered to hang, in milliseconds. It should end long
 * before.
 */
const BULK_STEP_MS = 1_000;

/**
 * How many times longer a batch waits for a client than a serialisation does: it occupies no thread
 * meanwhile.
 */
const BULK_STALLS = 10;

const tooManyBulks: ErrorData = {
  code: 'overloaded',
  message: 'Too many batches are in progress; try again later.',
  details: { retryAfter: 5 },
};

/** Evaluates a start resource that a job of a batch could not finish. */
export type EvaluatePart = BulkWorkers['evaluate'];

/** The batches in progress. Submits their jobs to the scheduler. */
export class Bulks implements Iterable<Bulk> {
  readonly #scheduler: Scheduler;
  readonly #threads: number;
  readonly #settings: PoolSettings;
  readonly #evaluate: EvaluatePart;
  readonly #open = new Set<Bulk>();
  readonly #startCosts = new SelectionMap<StartCost>();
  /** By worker slot. */
  readonly #lineMemories: readonly LineMemories[];

  constructor(scheduler: Scheduler, threads: number, settings: PoolSettings, evaluate: EvaluatePart) {
    this.#scheduler = scheduler;
    this.#threads = threads;
    this.#settings = settings;
    this.#evaluate = evaluate;
    this.#lineMemories = Array.from({ length: threads }, () => new LineMemories());
  }

  [Symbol.iterator](): Iterator<Bulk> {
    return this.#open.values();
  }

  /** Returns the error `overloaded`, or the error with which the pool rejects every job. */
  open(request: BulkRequest): Result<Bulk> {
    const refusal = this.#hasPlace(clientKey(request.caller)) ? this.#scheduler.closed : tooManyBulks;
    if (refusal) return { ok: false, error: refusal };
    const count = Math.max(1, this.#threads - 1);
    const workers: BulkWorkers = {
      count,
      spare: this.#threads - count,
      cost: this.#costOf(request.selection),
      run: (starts, lent, caller) => this.#run(request, bulk, starts, lent, caller),
      evaluate: this.#evaluate,
    };
    const stallMs = BULK_STALLS * this.#settings.stallMs;
    const bulk: Bulk = new Bulk(request, workers, stallMs, () => this.#open.delete(bulk));
    this.#open.add(bulk);
    return { ok: true, value: bulk };
  }

  #hasPlace(client: string): boolean {
    const { bulks } = this.#settings;
    if (this.#open.size < bulks) return true;
    const clients = Array.from(this.#open, (bulk) => bulk.client);
    const own = clients.filter((each) => each === client).length;
    return hasShareLeft(own, new Set(clients).size, bulks);
  }

  #costOf(selection: Selection): StartCost {
    const cost = this.#startCosts.get(selection) ?? new StartCost();
    this.#startCosts.set(selection, cost);
    return cost;
  }

  #run(
    { selection, lenient }: BulkRequest,
    bulk: Bulk,
    starts: StartPack,
    lent: boolean,
    caller: Caller,
  ): Promise<Result<BulkAnswer>> {
    let lease: LineLease | undefined;
    const job = (slot: number): Job => {
      lease = this.#lineMemories[slot]!.lease();
      const { number: memory } = lease;
      const snapshot = this.#scheduler.unreadSnapshot(slot);
      return { kind: 'bulk', snapshot, selection, starts, lenient, memory, slot };
    };
    let answer: Result<BulkAnswer> | undefined;
    // Memory that the thread has allocated is registered even if the lines are not needed any more,
    // since later jobs write into it.
    const ended = (result: Result<unknown>, wanted: boolean) => {
      answer = answerOf(result as Result<BulkOutput>, lease!);
      if (answer.ok && !wanted) answer.value.release();
    };
    return new Promise((resolve) => {
      const settle = (result: Result<unknown>) => resolve(answer ?? (result as Result<never>));
      const transfer = [starts.bytes.buffer as ArrayBuffer, starts.bounds.buffer as ArrayBuffer];
      const work: HeavyWork = { info: bulk.info, stepMs: BULK_STEP_MS, job, transfer, lent, settle, ended };
      const submission = new HeavySubmission(work, monotonicMs(), caller, bulk);
      this.#scheduler.submit(submission, this.#scheduler.bulk);
      // Not at the end of this event loop turn: the thread that ended the previous job would wait
      // until its lines are written.
      this.#scheduler.pump();
      caller.onAbort(() => this.#scheduler.cancel(submission));
    });
  }
}

function answerOf(result: Result<BulkOutput>, lease: LineLease): Result<BulkAnswer> {
  if (!result.ok) {
    lease.release();
    return result;
  }
  const { lines, ...rest } = result.value;
  return { ok: true, value: { ...rest, bytes: lease.read(lines), release: lease.release } };
}
