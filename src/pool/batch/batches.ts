import { type Caller, clientKey } from '../../base/caller.ts';
import type { ErrorData, Result } from '../../errors.ts';
import type { Selection } from '../evaluation-request.ts';
import type { BatchOutput, Job } from '../messages.ts';
import { HeavySubmission, type HeavyWork } from '../runs/heavy-job.ts';
import { SelectionMap } from '../runs/selection-map.ts';
import { hasShareLeft } from '../scheduling/places.ts';
import type { Scheduler } from '../scheduling/scheduler.ts';
import type { PoolSettings } from '../settings.ts';
import { monotonicMs } from '../threads/monotonic-clock.ts';
import { Batch, type BatchRequest, type BatchResult, type BatchWorkers } from './batch.ts';
import { type LineLease, LineMemories } from './line-memories.ts';
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

const tooManyBatches: ErrorData = {
  code: 'overloaded',
  message: 'Too many batches are in progress; try again later.',
  details: { retryAfter: 5 },
};

/** Evaluates a start resource that a job of a batch could not finish. */
export type EvaluatePart = BatchWorkers['evaluate'];

/** The batches in progress. Submits their jobs to the scheduler. */
export class Batches implements Iterable<Batch> {
  readonly #scheduler: Scheduler;
  readonly #threads: number;
  readonly #settings: PoolSettings;
  readonly #evaluate: EvaluatePart;
  readonly #open = new Set<Batch>();
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

  [Symbol.iterator](): Iterator<Batch> {
    return this.#open.values();
  }

  /** Returns the error `overloaded`, or the error with which the pool rejects every job. */
  open(request: BatchRequest): Result<Batch> {
    const rejection = this.#hasPlace(clientKey(request.caller)) ? this.#scheduler.closed : tooManyBatches;
    if (rejection) return { ok: false, error: rejection };
    const count = Math.max(1, this.#threads - 1);
    const workers: BatchWorkers = {
      count,
      spare: this.#threads - count,
      cost: this.#costOf(request.selection),
      run: (starts, borrowed, caller) => this.#run(batch, starts, borrowed, caller),
      evaluate: this.#evaluate,
    };
    const stallMs = BULK_STALLS * this.#settings.stallMs;
    const batch: Batch = new Batch(request, workers, stallMs, () => this.#open.delete(batch));
    this.#open.add(batch);
    return { ok: true, value: batch };
  }

  #hasPlace(client: string): boolean {
    const { batches } = this.#settings;
    if (this.#open.size < batches) return true;
    const clients = Array.from(this.#open, (batch) => batch.client);
    const own = clients.filter((each) => each === client).length;
    return hasShareLeft(own, new Set(clients).size, batches);
  }

  #costOf(selection: Selection): StartCost {
    const cost = this.#startCosts.get(selection) ?? new StartCost();
    this.#startCosts.set(selection, cost);
    return cost;
  }

  #run(batch: Batch, starts: StartPack, borrowed: boolean, caller: Caller): Promise<Result<BatchResult>> {
    const { selection, lenient } = batch.request;
    let lease: LineLease | undefined;
    const job = (slot: number): Job => {
      lease = this.#lineMemories[slot]!.lease();
      const { number: memory } = lease;
      const snapshot = this.#scheduler.unreadSnapshot(slot);
      return { kind: 'batch', snapshot, selection, starts, lenient, memory, slot };
    };
    let output: Result<BatchResult> | undefined;
    // Memory that the thread has allocated is registered even if the lines are not needed any more,
    // since later jobs write into it.
    const ended = (result: Result<unknown>, wanted: boolean) => {
      output = resultOf(result as Result<BatchOutput>, lease!);
      if (output.ok && !wanted) output.value.release();
    };
    return new Promise((resolve) => {
      const settle = (result: Result<unknown>) => resolve(output ?? (result as Result<never>));
      const transfer = [starts.bytes.buffer as ArrayBuffer, starts.bounds.buffer as ArrayBuffer];
      const work: HeavyWork = {
        info: batch.info,
        stepMs: BULK_STEP_MS,
        job,
        transfer,
        borrowed,
        settle,
        ended,
      };
      const submission = new HeavySubmission(work, monotonicMs(), caller, batch);
      this.#scheduler.submit(submission, this.#scheduler.batch);
      // Not at the end of this event loop turn: the thread that ended the previous job would wait
      // until its lines are written.
      this.#scheduler.pump();
      caller.onAbort(() => this.#scheduler.cancel(submission));
    });
  }
}

function resultOf(result: Result<BatchOutput>, lease: LineLease): Result<BatchResult> {
  if (!result.ok) {
    lease.release();
    return result;
  }
  const { lines, ...rest } = result.value;
  return { ok: true, value: { ...rest, bytes: lease.read(lines), release: lease.release } };
}
