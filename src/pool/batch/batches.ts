import { type Caller, clientKey } from '../../base/caller.ts';
import { ownAccess, visiblePatterns } from '../../base/graph-access.ts';
import type { ErrorData, Result } from '../../errors.ts';
import type { SnapshotDescriptor } from '../../snapshot/descriptor.ts';
import type { Selection } from '../evaluation-request.ts';
import type { BatchOutput, Job, StartsOutput } from '../messages.ts';
import { HeavySubmission, type HeavyWork } from '../runs/heavy-job.ts';
import { SelectionMap } from '../runs/selection-map.ts';
import type { WholeTask } from '../runs/submission.ts';
import { hasShareLeft } from '../scheduling/places.ts';
import type { Scheduler } from '../scheduling/scheduler.ts';
import type { PoolSettings } from '../settings.ts';
import type { TaskMap } from '../tasks/map.ts';
import { monotonicMs } from '../threads/monotonic-clock.ts';
import { Batch, type BatchRequest, type BatchResult, type BatchWorkers } from './batch.ts';
import { EndedBatches } from './ended-batches.ts';
import { type LineLease, LineMemories } from './line-memories.ts';
import { LineRoom } from './line-room.ts';
import { StartCost } from './start-cost.ts';
import type { StartPack } from './start-pack.ts';
import { type ReadStarts, StartSetPages, type StartSetRequest } from './start-set-pages.ts';

/**
 * Time after which a job of a batch is considered to hang, in milliseconds. It should end long
 * before.
 */
const BATCH_STEP_MS = 1_000;

/**
 * How many times longer a batch waits for a client than a serialisation does: it occupies no thread
 * meanwhile.
 */
const BATCH_STALLS = 10;

const tooManyBatches: ErrorData = {
  code: 'overloaded',
  message: 'Too many batches are in progress; try again later.',
  details: { retryAfter: 5 },
};

/** Evaluates a start resource that a job of a batch could not finish. */
export type EvaluatePart = BatchWorkers['evaluate'];

interface BatchesParts {
  readonly scheduler: Scheduler;
  readonly threads: number;
  readonly settings: PoolSettings;
  readonly snapshot: () => SnapshotDescriptor;
  readonly evaluate: EvaluatePart;
}

/** The batches in progress. Submits their jobs to the scheduler. */
export class Batches implements Iterable<Batch> {
  readonly #scheduler: Scheduler;
  readonly #threads: number;
  readonly #settings: PoolSettings;
  readonly #snapshot: () => SnapshotDescriptor;
  readonly #evaluate: EvaluatePart;
  readonly #open = new Set<Batch>();
  readonly #ended = new EndedBatches();
  readonly #room: LineRoom;
  readonly #startCosts = new SelectionMap<StartCost>();
  /** By worker slot. */
  readonly #lineMemories: readonly LineMemories[];

  constructor(parts: BatchesParts) {
    const { scheduler, threads, settings, snapshot, evaluate } = parts;
    this.#scheduler = scheduler;
    this.#snapshot = snapshot;
    this.#threads = threads;
    this.#settings = settings;
    this.#evaluate = evaluate;
    this.#room = new LineRoom(settings.bufferedBytes);
    this.#lineMemories = Array.from({ length: threads }, () => new LineMemories());
  }

  [Symbol.iterator](): Iterator<Batch> {
    return this.#open.values();
  }

  /** Returns the task of a batch that ended not long ago. */
  endedTask(group: string, name: string): TaskMap | undefined {
    return this.#ended.find(group, name);
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
      room: this.#room,
      run: (starts, borrowed, caller) => this.#run(batch, starts, borrowed, caller),
      evaluate: this.#evaluate,
    };
    const stallMs = BATCH_STALLS * this.#settings.stallMs;
    const batch: Batch = new Batch(request, workers, stallMs, {
      evaluated: () => this.#open.delete(batch),
      taken: (task) => this.#ended.add(task),
    });
    this.#open.add(batch);
    this.#scheduler.begun.add(batch.info.group);
    return { ok: true, value: batch };
  }

  /**
   * Begins to read a set: the batch that it is for follows. Errors: those of `StartsJob`, and
   * `overloaded`.
   */
  openSet(request: StartSetRequest, caller: Caller | undefined): Promise<Result<StartSetPages>> {
    return StartSetPages.open(request, (...args) => this.#readStarts(...args), caller);
  }

  #readStarts(
    job: Parameters<ReadStarts>[0],
    caller: Caller | undefined,
    whole: WholeTask | undefined,
  ): Promise<Result<StartsOutput>> {
    const { set } = job;
    const visible = visiblePatterns(caller ?? ownAccess);
    return new Promise((resolve) => {
      const work: HeavyWork = {
        info: { group: 'LDPath', label: 'start resources', detail: { set: set.kind } },
        stepMs: set.kind === 'path' ? this.#settings.evaluationMs : BATCH_STEP_MS,
        job: (slot) => ({ ...job, kind: 'starts', snapshot: this.#snapshot(), visible, slot }),
        transfer: [],
        settle: (result) => resolve(result as Result<StartsOutput>),
      };
      const submission = new HeavySubmission(work, monotonicMs(), caller, whole);
      this.#scheduler.submit(submission, this.#scheduler.batch);
      caller?.onAbort(() => this.#scheduler.cancel(submission));
    });
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
    const visible = visiblePatterns(caller);
    let lease: LineLease | undefined;
    const job = (slot: number): Job => {
      lease = this.#lineMemories[slot]!.lease();
      const { number: memory } = lease;
      const snapshot = this.#scheduler.unreadSnapshot(slot);
      const filtered = batch.set !== null;
      return { kind: 'batch', snapshot, visible, selection, starts, lenient, filtered, memory, slot };
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
      // What is in shared memory stays where it is.
      const transfer = [starts.bytes.buffer, starts.bounds.buffer].filter(
        (buffer) => buffer instanceof ArrayBuffer,
      );
      const work: HeavyWork = {
        info: batch.info,
        stepMs: BATCH_STEP_MS,
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
