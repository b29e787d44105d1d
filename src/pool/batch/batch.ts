import { setImmediate as turn } from 'node:timers/promises';
import { type Caller, clientKey, withAbort } from '../../base/caller.ts';
import { AppError, fromErrorData, type Result } from '../../errors.ts';
import type { Evaluation, Selection } from '../evaluation-request.ts';
import type { BatchJobError, BatchOutput } from '../messages.ts';
import { SHOWN_SOURCE, type WholeTask } from '../runs/submission.ts';
import { Permits } from '../scheduling/permits.ts';
import type { LiveTask, TaskOutcome } from '../tasks/live-task.ts';
import {
  type ListedTask,
  newIdentity,
  type TaskInfo,
  type TaskMap,
  taskMap,
  taskName,
} from '../tasks/map.ts';
import { epochMs, monotonicMs } from '../threads/monotonic-clock.ts';
import type { LineRoom } from './line-room.ts';
import { type BatchError, type BatchPart, BatchParts, withoutMissing, withResults } from './output-parts.ts';
import { type PagedRange, PagedRanges } from './paged-ranges.ts';
import type { StartCost } from './start-cost.ts';
import type { StartList } from './start-list.ts';
import type { StartPack } from './start-pack.ts';
import type { StartPosition } from './start-position.ts';
import { StartPage, StartSetPages } from './start-set-pages.ts';

/** A request to evaluate one selection for many start resources. */
export interface BatchRequest {
  /** The request that it serves; undefined for the server's own work. */
  readonly caller?: Caller;
  readonly selection: Selection;
  /**
   * A list, or a set: its members for which the program's `@filter` is false, or which no longer
   * exist when it is their turn, get neither a line nor an error.
   */
  readonly starts: StartList | StartSetPages;
  /** True if all start resources count as existing. */
  readonly lenient: boolean;
  /**
   * Whether a start resource exists that no triple mentions (see `Evaluation.known`). Called only
   * for those.
   */
  readonly known: (start: string) => boolean;
  /**
   * True to deliver results in the order of `starts`, which is that of ids for a set; false to
   * deliver them as they arrive.
   */
  readonly ordered: boolean;
}

/** What a batch needs from the pool. Functions that do work receive a way to cancel it. */
export interface BatchWorkers {
  /** Number of threads that the batch may use at one time. */
  readonly count: number;
  /** Number of further threads, for jobs that may borrow one (`borrowed`). */
  readonly spare: number;
  /** The cost of one start resource with the selection. */
  readonly cost: StartCost;
  /** For the lines of all batches. */
  readonly room: LineRoom;
  /**
   * `borrowed`: the job may borrow a thread, and must return it as soon as other jobs wait for it.
   */
  run(starts: StartPack, borrowed: boolean, caller: Caller): Promise<Result<BatchResult>>;
  /** Returns a result of the kind `line`. */
  evaluate(evaluation: Evaluation, caller: Caller, whole: WholeTask): Promise<Result<Uint8Array>>;
}

/** What a batch reports. */
export interface BatchEnds {
  /** Nothing is left to evaluate. */
  readonly evaluated: () => void;
  /** Nothing is left to take. */
  readonly taken: (task: TaskMap) => void;
}

/** The output of a job, with its lines in memory that stays valid until `release`. */
export interface BatchResult extends Omit<BatchOutput, 'lines'> {
  readonly bytes: Uint8Array;
  readonly release: () => void;
}

/**
 * The most start resources that are evaluated individually in a row before a job is tried again.
 */
const MOST_SINGLES = 64;
/** Number of errors that its task lists. */
const LISTED_ERRORS = 100;

/**
 * Evaluates many start resources, range by range, on several threads (http-api P-23): on all but
 * one, and on that one too while nothing else waits for it and the start resources are known to be
 * fast. A start resource that takes long, or terminates its thread, is evaluated individually like
 * any other evaluation, with the full time limit and apart from others; these never occupy all
 * threads at one time. A thread starts its next job only after the results of the previous one were
 * taken, so a client that does not read stops the work.
 */
export class Batch implements AsyncIterable<BatchPart> {
  readonly request: BatchRequest;
  readonly info: TaskInfo;
  readonly name: string;
  /** Number of start resources; null if it is unknown. */
  readonly total: number | null;
  /** The set whose members are the start resources; null for a list. */
  readonly set: StartSetPages | null;
  /** See `clientKey`. */
  readonly client: string;
  /**
   * Number of start resources whose results were taken, how many of those are errors, and how many
   * of them were left out (`BatchPart.omitted`).
   */
  delivered = 0;
  errors = 0;
  omitted = 0;
  /** For people, since some formats have no place for errors (http-api 4.11). */
  readonly #firstErrors: string[] = [];
  /** True if `cancel` ended it. */
  cancelled = false;
  readonly #listed: ListedTask;
  readonly #workers: BatchWorkers;
  readonly #ranges: PagedRanges;
  readonly #parts: BatchParts;
  /** Limits how many start resources are evaluated individually at one time. */
  readonly #singly: Permits;
  /** Resolves when start resources are known to be fast, or when nothing is left to do. */
  readonly #fast: Promise<void>;
  #onFast = () => {};
  #takers: number;
  readonly #ends: BatchEnds;
  readonly #running = new Set<() => void>();
  readonly #stall: NodeJS.Timeout;
  #lastUpdate: number;
  #failure: Error | null = null;
  #ended = false;

  /** `stallMs`: how long to wait for a consumer that takes nothing. */
  constructor(request: BatchRequest, workers: BatchWorkers, stallMs: number, ends: BatchEnds) {
    const { mode, source } = request.selection;
    const identity = newIdentity();
    const detail = { [mode]: source.slice(0, SHOWN_SOURCE) };
    this.info = { identity, group: 'LDPath', label: 'batch', detail };
    this.name = taskName(this.info, identity.sequence);
    const { starts } = request;
    this.set = starts instanceof StartSetPages ? starts : null;
    this.total = starts instanceof StartSetPages ? starts.total : starts.length;
    const { id, started } = identity;
    this.#listed = { id, started, name: this.name, group: this.info.group, caller: request.caller };
    this.#lastUpdate = started;
    this.client = clientKey(request.caller);
    this.request = request;
    this.#workers = workers;
    this.#ranges = new PagedRanges(starts instanceof StartSetPages ? () => this.#page(starts) : starts);
    this.#parts = new BatchParts(request.ordered);
    this.#singly = new Permits(workers.count);
    this.#fast = new Promise((resolve) => {
      this.#onFast = resolve;
    });
    this.#takers = workers.count;
    this.#ends = ends;
    this.#stall = setTimeout(() => this.#onStall(stallMs), stallMs).unref();
  }

  /** Ends the batch: waiting jobs are dropped, and running ones stop at their next check. */
  cancel(): void {
    this.cancelled ||= !this.#ended;
    this.#end();
  }

  /**
   * Begins the evaluation and yields the parts; leaving the iteration cancels it. Can be iterated
   * only once. Ends early after `cancel`. Throws `shutting-down`, `cancelled` if nothing was taken
   * for too long, and internal errors.
   */
  async *[Symbol.asyncIterator](): AsyncGenerator<BatchPart> {
    this.#work().catch((error: Error) => this.#fail(error));
    try {
      for (let part = await this.#next(); part; part = await this.#next()) {
        try {
          yield part;
        } finally {
          part.release();
        }
      }
      if (this.#failure) throw this.#failure;
    } finally {
      this.cancel();
      this.#ends.taken(this.#endedTask(epochMs(monotonicMs())));
    }
  }

  task(now: number): TaskMap {
    const activity = {
      thread: 'main',
      message: 'evaluating',
      progress: this.delivered,
      total: this.total ?? 0,
      unit: 'resources',
      since: this.#listed.started,
      updated: this.#lastUpdate,
      detail: { ...this.info.detail, errors: String(this.errors), ...this.#errorDetail() },
    } as const;
    return taskMap(this.#listed, activity, now);
  }

  /** `now`: milliseconds since 1970. */
  live(now: number): LiveTask {
    const { started } = this.#listed;
    const outcome = () => (this.#ended ? this.#outcome : undefined);
    return { group: this.info.group, started, isRunning: true, show: () => this.task(now), outcome };
  }

  get #outcome(): TaskOutcome {
    if (this.cancelled) return 'cancelled';
    return this.#failure ? 'failed' : 'done';
  }

  #endedTask(now: number): TaskMap {
    return { ...this.task(now), state: 'ended', thread: null, message: this.#outcome, eta: null };
  }

  async #next(): Promise<BatchPart | undefined> {
    this.#stall.refresh();
    const part = await this.#parts.take();
    if (part) {
      this.delivered += part.count;
      this.errors += part.errors.length;
      this.omitted += part.omitted;
      this.#list(part.errors);
      this.#lastUpdate = epochMs(monotonicMs());
      // Lets the producer submit its next job first. Writing the part takes long, and the thread
      // would be idle meanwhile.
      await turn();
    }
    return part;
  }

  #list(errors: readonly BatchError[]): void {
    for (const { uri, error } of errors.slice(0, LISTED_ERRORS - this.#firstErrors.length)) {
      this.#firstErrors.push(`${uri.slice(0, SHOWN_SOURCE)}: ${error.code}`);
    }
  }

  #errorDetail(): { firstErrors?: string } {
    return this.#firstErrors.length === 0 ? {} : { firstErrors: this.#firstErrors.join('\n') };
  }

  async #work(): Promise<void> {
    const { count, spare, cost } = this.#workers;
    const takers = Array.from({ length: count + spare }, (_, i) => this.#takeRanges(i < count));
    if (cost.isFast) this.#useSpare();
    await Promise.all(takers);
    this.#end();
  }

  #useSpare(): void {
    this.#takers = this.#workers.count + this.#workers.spare;
    this.#onFast();
  }

  async #takeRanges(atOnce: boolean): Promise<void> {
    if (!atOnce) await this.#fast;
    const taker: Taker = { singles: 0, giveBack: () => {} };
    try {
      for (let range = await this.#takeRange(); range; range = await this.#takeRange()) {
        await this.#evaluate(range, taker);
        this.#parts.finish(range.number);
      }
    } finally {
      taker.giveBack();
    }
    // No further thread joins when nothing is left.
    this.#onFast();
  }

  async #takeRange(): Promise<PagedRange | null> {
    const { cost } = this.#workers;
    const range = this.#ended
      ? null
      : await this.#ranges.take(
          () => this.#takers,
          () => cost.milliseconds,
        );
    return this.#ended ? null : range;
  }

  #page(starts: StartSetPages): Promise<StartPage | null> {
    if (this.#ended) return Promise.resolve(null);
    return this.#cancellable((caller) => starts.next(caller, this));
  }

  async #evaluate(range: PagedRange, taker: Taker): Promise<void> {
    for (let from = range.from; from < range.to && !this.#ended; ) {
      from = await this.#evaluateRow(range, from, taker);
    }
  }

  /**
   * Runs one job, then evaluates individually the start resources that it could not finish. Returns
   * the index of the first start resource that is left.
   */
  async #evaluateRow(range: PagedRange, from: number, taker: Taker): Promise<number> {
    const outcome = await this.#runJob(range, from, taker);
    if (outcome === 'failed') return this.#evaluateSingly(range, [from, range.to], taker);
    if (outcome === 'dropped') return from;
    const { done, slow } = outcome;
    taker.singles =
      slow && done === 0 ? Math.min(MOST_SINGLES, Math.max(1, 2 * taker.singles)) : slow ? 1 : 0;
    const next = from + done;
    return this.#evaluateSingly(range, [next, Math.min(range.to, next + taker.singles)], taker);
  }

  /** `dropped`: there was no room for its lines, and now there is. */
  async #runJob(range: PagedRange, from: number, taker: Taker): Promise<JobOutcome | 'failed' | 'dropped'> {
    const { cost } = this.#workers;
    const starts = range.starts.pack(from, range.to);
    const result = await this.#cancellable((cancel) => this.#workers.run(starts, cost.isFast, cancel));
    if (!result.ok) {
      cost.forget();
      return 'failed';
    }
    const { done, slow } = result.value;
    const outcome = { done, slow };
    if (!this.#ended) this.#learn(result.value);
    if (this.#ended || done === 0) {
      result.value.release();
      return outcome;
    }
    const part = await this.#evaluateKnown(partOf(range, from, result.value));
    return this.#offer(range, part, taker).then((isTaken) => (isTaken ? outcome : 'dropped'));
  }

  #learn({ done, slow, milliseconds }: BatchResult): void {
    const { cost } = this.#workers;
    if (slow) cost.forget();
    else if (milliseconds !== null) cost.record(done, milliseconds);
    if (cost.isFast) this.#useSpare();
  }

  async #evaluateSingly(
    range: PagedRange,
    [from, to]: readonly [from: number, to: number],
    taker: Taker,
  ): Promise<number> {
    for (let i = from; i < to && !this.#ended; ) if (await this.#evaluateOne(range, i, taker)) i++;
    return to;
  }

  /** See `#offer`. */
  async #evaluateOne(range: PagedRange, index: number, taker: Taker): Promise<boolean> {
    const part = await this.#single(range.starts.text(index));
    if (!part) return true;
    const whole = { ...part, after: positionAfter(range, index) };
    return this.#offer(range, this.set ? withoutMissing(whole) : whole, taker);
  }

  /**
   * Resolves with true when the part is taken. Without room for it the part is dropped, and the
   * promise resolves with false when there is: then its start resources are evaluated again.
   * Nothing that waits for the promise may have the part, so that its memory is free meanwhile.
   */
  #offer(range: PagedRange, part: BatchPart, taker: Taker): Promise<boolean> {
    const { length } = part.bytes;
    taker.giveBack();
    const giveBack = this.#workers.room.reserve(length, this.#parts.isDue(range.number));
    if (!giveBack) {
      part.release();
      return this.#awaitRoom(range, length, taker);
    }
    const release = () => {
      giveBack();
      part.release();
    };
    return this.#parts.offer(range.number, { ...part, release }).then(() => true);
  }

  async #awaitRoom({ number }: PagedRange, bytes: number, taker: Taker): Promise<false> {
    const isDue = () => this.#parts.isDue(number);
    taker.giveBack = await this.#workers.room.whenFree(bytes, isDue, () => !this.#ended);
    return false;
  }

  /** Evaluates the start resources that exist although the snapshot does not mention them. */
  async #evaluateKnown(part: BatchPart): Promise<BatchPart> {
    if (this.set) return part.errors.length === 0 ? part : withoutMissing(part);
    const results = new Map<BatchError, BatchPart>();
    for (const problem of part.errors) {
      if (problem.error.code !== 'resource-not-found' || !this.request.known(problem.uri)) continue;
      const result = await this.#single(problem.uri);
      if (result) results.set(problem, result);
    }
    return results.size === 0 ? part : withResults(part, results);
  }

  async #single(uri: string): Promise<BatchPart | undefined> {
    const { selection, lenient, known } = this.request;
    const exists = lenient || known(uri);
    const resultKind = this.set ? 'accepted' : 'line';
    const evaluation: Evaluation = { ...selection, start: uri, known: exists, resultKind };
    const result = await this.#singly.hold(async () => {
      if (this.#ended) return undefined;
      return this.#cancellable((caller) => this.#workers.evaluate(evaluation, caller, this));
    });
    if (!result || this.#ended) return undefined;
    const part = { errors: [], count: 1, omitted: 0, after: null, release: noMemory };
    if (result.ok) return { ...part, bytes: result.value, omitted: result.value.length === 0 ? 1 : 0 };
    if (result.error.code === 'shutting-down') return this.#fail(fromErrorData(result.error));
    return { ...part, bytes: noBytes, errors: [{ at: 0, uri, error: result.error }] };
  }

  async #cancellable<T>(work: (caller: Caller) => Promise<T>): Promise<T> {
    let cancel = () => {};
    const onAbort = (given: () => void) => {
      cancel = given;
    };
    // Work of several attempts gives a way to cancel each of them.
    const cancelPresent = () => cancel();
    this.#running.add(cancelPresent);
    try {
      return await work(withAbort(this.request.caller, onAbort));
    } finally {
      this.#running.delete(cancelPresent);
    }
  }

  #onStall(stallMs: number): void {
    if (this.#parts.awaited) this.#stall.refresh();
    else this.#fail(new AppError('cancelled', `The client read nothing for ${stallMs} ms.`));
  }

  #fail(error: Error): undefined {
    if (!this.#ended) this.#failure = error;
    this.#end();
  }

  #end(): void {
    if (this.#ended) return;
    this.#ended = true;
    clearTimeout(this.#stall);
    this.#onFast();
    this.#parts.end();
    for (const cancel of this.#running) cancel();
    this.#ends.evaluated();
  }
}

const noBytes = new Uint8Array(0);

function noMemory(): void {}

function partOf(range: PagedRange, from: number, result: BatchResult): BatchPart {
  const { bytes, errors, done: count, omitted, release } = result;
  const named = ({ at, start, error }: BatchJobError): BatchError => {
    return { at, uri: range.starts.text(from + start), error };
  };
  const after = positionAfter(range, from + count - 1);
  return { bytes, errors: errors.map(named), count, omitted, after, release };
}

function positionAfter({ starts }: PagedRange, index: number): StartPosition | null {
  return starts instanceof StartPage ? starts.after(index) : null;
}

type JobOutcome = Pick<BatchResult, 'done' | 'slow'>;

/** What evaluates ranges one after another. */
interface Taker {
  /** Number of start resources that were evaluated individually after the last job. */
  singles: number;
  /** Gives back the room that it has for the next lines. */
  giveBack: () => void;
}
