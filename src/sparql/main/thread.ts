import { Piscina } from 'piscina';
import { ProcessorClock } from '../../base/thread-priority.ts';
import { monotonicMs } from '../../pool/threads/monotonic-clock.ts';
import { Stopwatch } from '../../pool/threads/times.ts';
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
  /** What it is for: queries that end soon, others, or both. */
  readonly lane: 'quick' | 'slow' | 'both';
  readonly heapMegabytes: number;
  readonly data: Omit<SparqlThreadData, 'status' | 'lowPriority'>;
  /** What it runs. */
  readonly entry: URL;
  /** Called when it has ended by itself, outside of any batch. */
  readonly onFault: (error: Error) => void;
}

/** What the thread is doing. */
export interface Batch {
  readonly submissions: readonly SparqlSubmission[];
  /** `monotonicMs`. */
  readonly started: number;
  /** Of the snapshot that it is evaluated on. */
  readonly quadCount: number;
  /** The thread has no instance and no image: it fills an instance before the first job. */
  readonly fills: boolean;
}

/** What a thread evaluates. */
export interface Current {
  readonly submission: SparqlSubmission;
  /** How long it has been evaluated, in milliseconds. */
  readonly wallMs: number;
  /** The time that it had on a processor meanwhile, where that is known. */
  readonly ownMs: number;
}

/** A thread that was started. */
interface Life {
  readonly piscina: Piscina<PackedBatch, PackedOutput>;
  readonly status: ThreadStatus;
}

interface Watched {
  readonly submission: SparqlSubmission;
  readonly stopwatch: Stopwatch;
}

/** What it took in when it was last looked at. */
interface Intake {
  readonly batch: Batch;
  readonly beats: number;
  readonly stopwatch: Stopwatch;
}

/** A thread that is not known to the system yet loads its code, and is judged by the clock alone. */
const LOADING_FACTOR = 10;

/**
 * A place for a thread with an instance: a Piscina of one thread, so that it is known what runs
 * where, and one can be ended alone. The thread is started when there is work, and ended when it is
 * idle.
 */
export class SparqlThread {
  readonly name: string;
  readonly lane: SparqlThreadOptions['lane'];
  batch: Batch | null = null;
  /** Whether it has an instance that it made in an earlier batch. */
  hasInstance = false;
  /** When its last batch ended, `monotonicMs`. */
  lastUsed = 0;
  readonly #options: SparqlThreadOptions;
  #life: Life | undefined;
  /** Takes the place of the thread when that is ended. */
  #next: Life | undefined;
  #sender = new DescriptorSender();
  #sent: SnapshotDescriptor | undefined;
  /** What the thread would make its instance from. */
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

  get isStarted(): boolean {
    return this.#life !== undefined;
  }

  /** Of the thread that is there. */
  get status(): ThreadStatus | undefined {
    return this.#life?.status;
  }

  set hostBusy(busy: boolean) {
    this.#hostBusy = busy;
    if (this.#life) this.#life.status.hostBusy = busy;
  }

  /**
   * `snapshot` and `image`: the newest ones. Rejects when the thread dies or is ended.
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
    this.batch = { submissions, started: monotonicMs(), quadCount: snapshot.quadCount, fills };
    const jobs = packJobs(submissions.map((submission) => submission.jobNow()));
    const update = this.#sent === snapshot ? undefined : this.#sender.update(snapshot);
    this.#sent = snapshot;
    const news = image === this.#image ? undefined : image;
    this.#image = image;
    return piscina.run({ snapshot: update, jobs, image: news }).then(unpackOutput);
  }

  /**
   * To be called now and then, since time on a processor counts from the first call for a query on.
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

  /** Whether it has a batch, and takes in data before it begins the first job. */
  get takesIn(): boolean {
    return this.batch !== null && this.status?.since === 0;
  }

  /** Whether it has gone so long without progress with that; to be asked now and then. */
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

  /** It made the image itself. */
  noteImage(image: MirrorImage): void {
    this.#image = image;
  }

  /** Starts the thread that takes the place of this one when it is ended. */
  prepareNext(): void {
    this.#next ??= this.#start();
  }

  /** Ends the thread, whatever it does; its instance is released. */
  end(): Promise<void> {
    const life = this.#life;
    this.#life = undefined;
    this.#sent = undefined;
    this.#image = undefined;
    this.batch = null;
    this.hasInstance = false;
    this.#clock?.close();
    this.#clock = undefined;
    this.#watched = undefined;
    this.#intake = undefined;
    return life?.piscina.destroy() ?? Promise.resolve();
  }

  /** Ends the thread, and the one that would take its place. */
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
      filename: entry.href,
      minThreads: 1,
      maxThreads: 1,
      idleTimeout: Number.POSITIVE_INFINITY,
      resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
      workerData,
      recordTiming: false,
      trackUnmanagedFds: false,
    });
    piscina.on('error', (error: Error) => this.#onFault(piscina, error));
    return { piscina, status };
  }

  #onFault(piscina: Life['piscina'], error: Error): void {
    if (this.#life?.piscina === piscina) void this.end();
    if (this.#next?.piscina === piscina) this.#next = undefined;
    this.#options.onFault(error);
  }
}
