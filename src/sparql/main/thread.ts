import { Piscina } from 'piscina';
import { ProcessorClock } from '../../base/thread-priority.ts';
import { activities } from '../../pool/tasks/listing.ts';
import { monotonicMs } from '../../pool/threads/monotonic-clock.ts';
import { Stopwatch } from '../../pool/threads/times.ts';
import { type ThreadReading, totalOf, WorkMeter } from '../../pool/threads/work-meter.ts';
import { piscinaEntry } from '../../pool/threads/worker-url.ts';
import type { SnapshotDescriptor } from '../../snapshot/descriptor.ts';
import { DescriptorSender } from '../../snapshot/feed/descriptor-link.ts';
import type { PackedBatch, PackedOutput, SparqlOutput, SparqlThreadData } from '../messages.ts';
import { packJobs } from '../packed-batch.ts';
import { unpackOutput } from '../packed-output.ts';
import type { MirrorImage } from '../thread/mirror.ts';
import { ThreadStatus } from '../thread-status.ts';
import type { SparqlSubmission } from './query-submission.ts';

export interface SparqlThreadOptions {
  readonly name: string;
  /** The queries that it runs: quick ones, slow ones, or both. */
  readonly lane: 'quick' | 'slow' | 'both';
  readonly heapMegabytes: number;
  readonly data: Omit<SparqlThreadData, 'status' | 'lowPriority'>;
  /** The code that it runs. */
  readonly entry: URL;
  /** Called when it ended by itself outside of any batch. */
  readonly onInternalError: (error: Error) => void;
}

/** The current work of the thread. */
export interface Batch {
  readonly submissions: readonly SparqlSubmission[];
  /** By `monotonicMs`. */
  readonly started: number;
  /** Of the snapshot that it is evaluated on. */
  readonly quadCount: number;
  /** The thread has no instance and no image: it fills an instance before the first job. */
  readonly fills: boolean;
}

/** The query that a thread evaluates. */
export interface Current {
  readonly submission: SparqlSubmission;
  /** Elapsed time of the evaluation, in milliseconds. */
  readonly wallMs: number;
  /** Processor time of the evaluation, in milliseconds; the elapsed time if that is not known. */
  readonly ownMs: number;
}

/** A running thread. */
interface Life {
  readonly piscina: Piscina<PackedBatch, PackedOutput>;
  readonly status: ThreadStatus;
}

interface Watched {
  readonly submission: SparqlSubmission;
  readonly stopwatch: Stopwatch;
}

/** The state of loading data at the last check. */
interface Intake {
  readonly batch: Batch;
  readonly beats: number;
  readonly stopwatch: Stopwatch;
}

/**
 * A thread whose system id is not known yet is still loading its code. Its stall is measured by
 * elapsed time only, with this multiple of the limit.
 */
const LOADING_FACTOR = 10;

const EVALUATING = activities.sparql;

/**
 * A slot for a thread with an instance: a Piscina with one thread, so that its work is known and it
 * can be terminated alone. The thread is started when there is work, and terminated when it is
 * idle.
 */
export class SparqlThread {
  readonly name: string;
  readonly lane: SparqlThreadOptions['lane'];
  #batch: Batch | null = null;
  readonly #meter = new WorkMeter();
  /** Whether it has an instance that an earlier batch made. */
  hasInstance = false;
  /** When its last batch ended, by `monotonicMs`. */
  lastUsed = 0;
  readonly #options: SparqlThreadOptions;
  #life: Life | undefined;
  /** Replaces the thread when that is terminated. */
  #next: Life | undefined;
  #sender = new DescriptorSender();
  #sent: SnapshotDescriptor | undefined;
  /** The image from which the thread would make its instance. */
  #image: MirrorImage | undefined;
  #hostBusy = false;
  #clock: ProcessorClock | undefined;
  #watched: Watched | undefined;
  #intake: Intake | undefined;

  constructor(options: SparqlThreadOptions) {
    this.name = options.name;
    this.lane = options.lane;
    this.#options = options;
  }

  /** What it does now; null if it is idle. */
  get batch(): Batch | null {
    return this.#batch;
  }

  /** Call it when the batch has ended. */
  leave(): void {
    if (!this.#batch) return;
    const { started, submissions } = this.#batch;
    this.#meter.add(EVALUATING, monotonicMs() - started, submissions.length);
    this.#batch = null;
  }

  /** Returns what it has done, and does now. */
  read(): ThreadReading {
    const { batch } = this;
    const job = batch?.submissions[Math.max(0, this.status?.job ?? 0)];
    const current = batch ? { kind: EVALUATING, milliseconds: monotonicMs() - batch.started } : undefined;
    const work = this.#meter.times(current);
    const task = job ? { id: job.id, name: job.name, group: job.group } : null;
    return { thread: this.name, task, busyMs: totalOf(work), work, jobs: this.#meter.jobs };
  }

  get isStarted(): boolean {
    return this.#life !== undefined;
  }

  /** The status of the running thread. */
  get status(): ThreadStatus | undefined {
    return this.#life?.status;
  }

  set hostBusy(busy: boolean) {
    this.#hostBusy = busy;
    if (this.#life) this.#life.status.hostBusy = busy;
  }

  /**
   * Runs a batch. `snapshot` and `image`: the newest ones. Rejects if the thread dies or is
   * terminated.
   */
  run(
    submissions: readonly SparqlSubmission[],
    snapshot: SnapshotDescriptor,
    image: MirrorImage | undefined,
  ): Promise<SparqlOutput> {
    const isNew = !this.#life;
    const { piscina, status } = this.#living();
    status.hostBusy = this.#hostBusy;
    status.reset(isNew ? 'starting' : 'following');
    const fills = !this.hasInstance && image === undefined;
    this.#batch = { submissions, started: monotonicMs(), quadCount: snapshot.quadCount, fills };
    const jobs = packJobs(submissions.map((submission) => submission.jobNow()));
    const update = this.#sent === snapshot ? undefined : this.#sender.update(snapshot);
    this.#sent = snapshot;
    const news = image === this.#image ? undefined : image;
    this.#image = image;
    return piscina.run({ snapshot: update, jobs, image: news }).then(unpackOutput);
  }

  /**
   * Returns the running query. Must be called regularly, because processor time is measured from
   * the first call for a query.
   */
  look(): Current | undefined {
    const { since = 0, job = 0, threadId = 0 } = this.status ?? {};
    const submission = since > 0 ? this.batch?.submissions[job] : undefined;
    if (!submission) return undefined;
    if (this.#watched?.submission !== submission) {
      this.#watched = { submission, stopwatch: this.#newStopwatch(threadId) };
    }
    const { elapsed: ownMs } = this.#watched.stopwatch;
    return { submission, wallMs: monotonicMs() - since, ownMs };
  }

  /** Whether it has a batch but still loads data before the first job. */
  get takesIn(): boolean {
    return this.batch !== null && this.status?.since === 0;
  }

  /** Whether loading has made no progress for this long. Must be called regularly. */
  hasStalled(stallMs: number): boolean {
    const { batch, status } = this;
    if (!batch || !status || !this.takesIn) {
      this.#intake = undefined;
      return false;
    }
    const { beats, threadId } = status;
    if (this.#intake?.batch !== batch || this.#intake.beats !== beats) {
      this.#intake = { batch, beats, stopwatch: this.#newStopwatch(threadId) };
    }
    return this.#intake.stopwatch.elapsed > stallMs * (threadId === 0 ? LOADING_FACTOR : 1);
  }

  #newStopwatch(threadId: number): Stopwatch {
    this.#clock ??= ProcessorClock.open(threadId);
    return new Stopwatch(() => this.#clock?.read()?.used);
  }

  /** Records an image that the thread made itself. */
  noteImage(image: MirrorImage): void {
    this.#image = image;
  }

  /** Starts the thread that will replace this one when it is terminated. */
  prepareNext(): void {
    this.#next ??= this.#start();
  }

  /** Terminates the thread, even while it works, and releases its instance. */
  end(): Promise<void> {
    const life = this.#life;
    this.#life = undefined;
    this.#sent = undefined;
    this.#image = undefined;
    this.leave();
    this.hasInstance = false;
    this.#clock?.close();
    this.#clock = undefined;
    this.#watched = undefined;
    this.#intake = undefined;
    return life?.piscina.destroy() ?? Promise.resolve();
  }

  /** Terminates the thread and its prepared replacement. */
  async release(): Promise<void> {
    const next = this.#next;
    this.#next = undefined;
    await Promise.all([this.end(), next?.piscina.destroy()]);
  }

  #living(): Life {
    if (this.#life) return this.#life;
    this.#life = this.#next ?? this.#start();
    this.#next = undefined;
    this.#sender = new DescriptorSender();
    return this.#life;
  }

  #start(): Life {
    const { data, lane, heapMegabytes, entry } = this.#options;
    const status = new ThreadStatus();
    const workerData: SparqlThreadData = { ...data, status: status.buffer, lowPriority: lane !== 'quick' };
    const piscina = new Piscina<PackedBatch, PackedOutput>({
      ...piscinaEntry(entry),
      minThreads: 1,
      maxThreads: 1,
      idleTimeout: Number.POSITIVE_INFINITY,
      resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
      workerData,
      recordTiming: false,
      trackUnmanagedFds: false,
    });
    piscina.on('error', (error: Error) => this.#onInternalError(piscina, error));
    return { piscina, status };
  }

  #onInternalError(piscina: Life['piscina'], error: Error): void {
    if (this.#life?.piscina === piscina) void this.end();
    if (this.#next?.piscina === piscina) this.#next = undefined;
    this.#options.onInternalError(error);
  }
}
