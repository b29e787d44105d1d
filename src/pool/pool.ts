import { MessageChannel } from 'node:worker_threads';
import { ByteBudget } from '../base/byte-budget.ts';
import type { Caller } from '../base/caller.ts';
import { ownAccess, visiblePatterns } from '../base/graph-access.ts';
import { type ErrorData, type Result, shuttingDown } from '../errors.ts';
import type { QuadBlock } from '../rdf/model/quad-block.ts';
import type { SnapshotDescriptor } from '../snapshot/descriptor.ts';
import type { IriIndex } from '../snapshot/dictionary/iri-index.ts';
import type { Compacted, Compaction } from '../snapshot/runs/compact.ts';
import type { WaitingUpdate } from '../sparql/request.ts';
import type { Batch, BatchRequest } from './batch/batch.ts';
import { Batches, type EvaluatePart } from './batch/batches.ts';
import type { StartSetPages, StartSetRequest } from './batch/start-set-pages.ts';
import type {
  BuildChangesJob,
  BuiltChanges,
  EncodeChangesJob,
  EncodedChanges,
  PlanChangesJob,
  PlannedChanges,
} from './change-messages.ts';
import type { Evaluation, EvaluationResult, Selection } from './evaluation-request.ts';
import type {
  CheckpointJob,
  CheckpointOutput,
  Description,
  DescriptionJob,
  GraphEntriesJob,
  Job,
  LanguageDescription,
  LdpBody,
  LdpBodyJob,
  LdpPatch,
  LdpPatchJob,
  LdpStateJob,
  ParseJob,
  RepresentationJob,
  SentDataJob,
  SentDataOutput,
  SerializeJob,
  SparqlData,
} from './messages.ts';
import { FEW_WINDOW_ROWS, type ProgramChangesJob, type ProgramChangesOutput } from './program-changes.ts';
import { HeavySubmission, type HeavyWork } from './runs/heavy-job.ts';
import { EvaluationSubmission, type Submission, type WholeTask } from './runs/submission.ts';
import type { JobQueue } from './scheduling/job-queue.ts';
import { type PoolCounts, type QueueStatistics, queueStatistics } from './scheduling/queue-statistics.ts';
import { Scheduler } from './scheduling/scheduler.ts';
import { Watchdog } from './scheduling/watchdog.ts';
import { defaultPoolSettings, type PoolSettings, type QueueName } from './settings.ts';
import { ChunkStream, WINDOW } from './streaming/chunk-stream.ts';
import { Throttle } from './streaming/throttle.ts';
import type { BegunTasks } from './tasks/begun-tasks.ts';
import { TaskBoard } from './tasks/board.ts';
import { readThread } from './tasks/listing.ts';
import type { LiveTask } from './tasks/live-task.ts';
import { newIdentity, type TaskInfo, type TaskMap } from './tasks/map.ts';
import { Tasks } from './tasks/running-tasks.ts';
import type { ThreadKill } from './threads/kill.ts';
import { monotonicMs } from './threads/monotonic-clock.ts';
import { type Evaluated, ThreadBoard } from './threads/status-board.ts';
import { PiscinaThreads, type ThreadsOptions, type WorkerThreads } from './threads/threads.ts';
import { ThreadTimes } from './threads/times.ts';
import type { ThreadReading } from './threads/work-meter.ts';
import type { WorkerData } from './threads/worker-data.ts';
import { workerUrl } from './threads/worker-url.ts';

export interface PoolOptions {
  readonly threads: number;
  /** Returns the newest snapshot; called when evaluations are dispatched to a thread. */
  readonly snapshot: () => SnapshotDescriptor;
  /** Namespaces by prefix that every evaluation knows (http-api 4.9). */
  readonly prefixes: Readonly<Record<string, string>>;
  /** Those of them with which documents are written, too. */
  readonly documentPrefixes?: Readonly<Record<string, string>>;
  /** The `@context` of documents that JSON-LD may name, as JSON, by their IRIs (http-api G-45). */
  readonly contexts?: Readonly<Record<string, string>>;
  readonly settings?: Partial<PoolSettings>;
  /**
   * Called when a thread failed outside of any job, or when its output could not be processed.
   * `left` is the number of remaining threads; if it is 0, the pool rejects all jobs from now on.
   */
  readonly onInternalError?: (error: Error, left: number) => void;
  /** Called when a thread was terminated, or exited, while it worked; another one replaces it. */
  readonly onKill?: (kill: ThreadKill) => void;
  /** The entry file of the threads, and their data besides `WorkerData`. */
  readonly entry?: URL;
  readonly workerData?: Readonly<Record<string, unknown>>;
  /** Starts the threads; by default, threads of Piscina. */
  readonly startThreads?: (options: ThreadsOptions) => WorkerThreads;
}

/** `maxBytes` defaults to `documentBytes` of the settings. */
export type ParseRequest = Omit<ParseJob, 'kind' | 'slot' | 'maxBytes' | 'brief'> & {
  readonly maxBytes?: number;
};
export type LdpBodyRequest = Omit<LdpBodyJob, 'kind' | 'slot' | 'maxBytes' | 'brief'>;
export type LdpPatchRequest = Omit<LdpPatchJob, 'kind' | 'slot' | 'brief'>;
export type RepresentationRequest = Omit<RepresentationJob, 'kind' | 'slot'>;
export type GraphEntriesRequest = Omit<GraphEntriesJob, 'kind' | 'slot'>;
export type LdpStateRequest = Omit<LdpStateJob, 'kind' | 'slot'>;
export type DescriptionRequest = Omit<DescriptionJob, 'kind' | 'slot'>;
export type SerializeRequest = Pick<SerializeJob, 'snapshot' | 'source' | 'visible' | 'mediaType'>;
export type ProgramChangesRequest = Omit<ProgramChangesJob, 'kind' | 'visible' | 'slot'>;
export type SentDataRequest = Omit<SentDataJob, 'kind' | 'snapshot' | 'document' | 'limitMs' | 'slot'> & {
  readonly document: Omit<SentDataJob['document'], 'maxBytes'>;
};
export type CheckpointRequest = Omit<CheckpointJob, 'kind' | 'slot'>;
export type PlanChangesRequest = Omit<PlanChangesJob, 'kind' | 'slot'>;
export type BuildChangesRequest = Omit<BuildChangesJob, 'kind' | 'slot'>;
export type EncodeChangesRequest = Omit<EncodeChangesJob, 'kind' | 'slot'>;

type DocumentQueue = JobQueue<HeavySubmission>;

/** A document to be read by a thread. */
interface DocumentWork {
  readonly stepMs: number;
  readonly bytes: number;
  /** `brief`: abandon the work if it takes long. */
  readonly job: (brief: boolean) => HeavyWork['job'];
  /** The buffers that are transferred to the thread that finally reads the document. */
  readonly transfer: HeavyWork['transfer'];
}

/**
 * A document of at most this many bytes is usually read in a few milliseconds, and does not have to
 * wait for a thread with the heavy jobs.
 */
const SMALL_DOCUMENT_BYTES = 64 * 1024;

/**
 * Time after which a job that compares results is considered to hang, in milliseconds. It should
 * end long before.
 */
const COMPARISON_STEP_MS = 20_000;
/** What is evaluated for a slow start resource, each with a time limit: filter, fields, boost. */
const SLOW_START_PARTS = 3;

/**
 * The threads and the queues in front of them (http-api 1.11). Every job ends in a result: its own,
 * or one of the errors `overloaded` (too many jobs wait; `details.retryAfter`), `cancelled`,
 * `time-limit`, `budget-exceeded` (the thread ran out of memory), `shutting-down`, `internal`.
 */
export class Pool {
  readonly threads: number;
  readonly #settings: PoolSettings;
  readonly #threads: WorkerThreads;
  readonly #board: TaskBoard;
  readonly #threadBoard: ThreadBoard;
  readonly #times: ThreadTimes;
  readonly #buffered: ByteBudget;
  readonly #throttle = new Throttle();
  readonly #scheduler: Scheduler;
  readonly #watchdog: Watchdog;
  readonly #snapshot: () => SnapshotDescriptor;
  readonly #batches: Batches;
  readonly #tasks: Tasks;
  readonly #report: NonNullable<PoolOptions['onInternalError']>;

  constructor(options: PoolOptions) {
    this.threads = options.threads;
    this.#report = options.onInternalError ?? (() => {});
    this.#settings = { ...defaultPoolSettings, ...options.settings };
    this.#snapshot = options.snapshot;
    const { parseMs, heapMegabytes, graceMs } = this.#settings;
    this.#board = TaskBoard.forThreads(options.threads);
    this.#threadBoard = ThreadBoard.forThreads(options.threads);
    this.#times = new ThreadTimes(this.#threadBoard);
    this.#buffered = new ByteBudget(this.#settings.bufferedBytes);
    const budget = budgetOf(this.#settings);
    const data: WorkerData = {
      board: this.#board.buffer,
      threads: this.#threadBoard.buffer,
      prefixes: options.prefixes,
      documentPrefixes: options.documentPrefixes ?? {},
      contexts: options.contexts ?? {},
      budget,
      parseMs,
      heapMegabytes,
    };
    const { startThreads = (settings) => new PiscinaThreads(settings) } = options;
    this.#threads = startThreads({
      count: options.threads,
      entry: options.entry ?? workerUrl('job'),
      workerData: { ...options.workerData, ...data },
      heapMegabytes,
      onReady: () => this.#scheduler.pump(),
      onInternalError: (error, left) => this.#onInternalError(error, left),
    });
    const parts = { threads: this.#threads, board: this.#board, times: this.#times };
    const { snapshot } = options;
    this.#scheduler = new Scheduler({
      ...parts,
      settings: this.#settings,
      snapshot,
      onWork: () => this.#watchdog.wake(),
      onInternalError: (error) => this.#report(error, options.threads),
      onKill: options.onKill ?? (() => {}),
    });
    const evaluate: EvaluatePart = (evaluation, caller, whole) => this.#evaluate(evaluation, caller, whole);
    this.#batches = new Batches({
      scheduler: this.#scheduler,
      threads: options.threads,
      settings: this.#settings,
      snapshot,
      evaluate,
    });
    this.#tasks = new Tasks(this.#scheduler, this.#board, this.#batches);
    this.#watchdog = new Watchdog({ ...parts, scheduler: this.#scheduler, graceMs });
  }

  /**
   * Returns the JSON of one result, on the newest snapshot. What the caller may not see is not
   * read, here and in the other evaluations.
   */
  evaluate(evaluation: Evaluation, caller?: Caller): Promise<EvaluationResult> {
    return this.#evaluate(evaluation, caller);
  }

  /** Returns why an evaluation of that program would be rejected now; null if it would not. */
  rejection(selection: Selection, caller?: Caller): ErrorData | null {
    return this.#scheduler.rejection(selection, caller);
  }

  /**
   * Evaluates one selection for many start resources. The selection should have been compiled once
   * before (with the result kind `warnings`). The returned batch must be iterated or cancelled.
   * Error: `overloaded`.
   */
  batch(request: BatchRequest): Result<Batch> {
    return this.#batches.open(request);
  }

  /**
   * Finds changed results of a stored program (see `ProgramChangesJob`), apart from the evaluations
   * of others, like the jobs of batches.
   */
  programChanges(
    request: ProgramChangesRequest,
    info: TaskInfo,
    caller?: Caller,
  ): Promise<Result<ProgramChangesOutput>> {
    const visible = visiblePatterns(caller ?? ownAccess);
    const job = (slot: number): Job => ({ ...request, kind: 'program-changes', visible, slot });
    const { evaluationMs } = this.#settings;
    const stepMs = request.slow ? SLOW_START_PARTS * evaluationMs : COMPARISON_STEP_MS;
    // Reading many rows cannot be preempted.
    const isLong = !request.slow && rowCount(request) > FEW_WINDOW_ROWS;
    const queue = isLong ? this.#scheduler.heavy.serialize : this.#scheduler.batch;
    return this.#whole(queue, { info, stepMs, job, transfer: [] }, caller);
  }

  /** Evaluates a selection on data that are sent along. The document's body is transferred. */
  evaluateSent(request: SentDataRequest, info: TaskInfo, caller?: Caller): Promise<Result<SentDataOutput>> {
    const body = ownBuffer(request.document.body);
    const { documentBytes: maxBytes, parseMs, evaluationMs: limitMs } = this.#settings;
    const document = { ...request.document, body, maxBytes };
    const common = { kind: 'sent-data', document, limitMs } as const;
    const job = (slot: number): Job => ({ ...request, ...common, snapshot: this.#snapshot(), slot });
    const stepMs = parseMs + limitMs;
    const work = { info, stepMs, job, transfer: [body.buffer as ArrayBuffer], bytes: body.length };
    return this.#whole(this.#scheduler.heavy.parse, work, caller);
  }

  /**
   * Finds the members of a set of start resources, for a batch. Errors: those of `StartsJob`, and
   * `overloaded`.
   */
  startSet(request: StartSetRequest, caller?: Caller): Promise<Result<StartSetPages>> {
    return this.#batches.openSet(request, caller);
  }

  /** Describes the functions and types of the language, for people. */
  describe(): Promise<Result<LanguageDescription>> {
    return this.#maintain('description', (slot) => ({ kind: 'describe', slot }));
  }

  /** Returns the IRIs of the newest snapshot in order; `previous` is the last such index. */
  indexIris(previous: IriIndex | null): Promise<Result<IriIndex>> {
    const snapshot = this.#snapshot();
    return this.#maintain('index of IRIs', (slot) => ({ kind: 'index', snapshot, previous, slot }));
  }

  /**
   * Reads an RDF document. Its body is transferred to the thread: the caller must not use it
   * afterwards.
   */
  parse(request: ParseRequest, info: TaskInfo, caller?: Caller): Promise<Result<QuadBlock>> {
    const body = ownBuffer(request.body);
    const { documentBytes, parseMs: stepMs } = this.#settings;
    const maxBytes = request.maxBytes ?? documentBytes;
    const job =
      (brief: boolean) =>
      (slot: number): Job => ({ ...request, kind: 'parse', body, maxBytes, brief, slot });
    const work = { stepMs, job, transfer: [body.buffer as ArrayBuffer], bytes: body.length };
    return this.#read(isSmall(request), work, info, caller);
  }

  /**
   * Reads an RDF body for a resource of the LDP space. The body is transferred, as with `parse`.
   */
  readLdpBody(request: LdpBodyRequest, info: TaskInfo, caller?: Caller): Promise<Result<LdpBody>> {
    const body = ownBuffer(request.body);
    const { documentBytes: maxBytes, parseMs: stepMs } = this.#settings;
    const job =
      (brief: boolean) =>
      (slot: number): Job => ({ ...request, kind: 'ldp-body', body, maxBytes, brief, slot });
    const work = { stepMs, job, transfer: [body.buffer as ArrayBuffer], bytes: body.length };
    return this.#read(isSmall(request), work, info, caller);
  }

  /**
   * Computes the changes of a patch. Its time limit is that of an evaluation, because the work is
   * similar.
   */
  readLdpPatch(request: LdpPatchRequest, info: TaskInfo, caller?: Caller): Promise<Result<LdpPatch>> {
    const body = ownBuffer(request.body);
    const job =
      (brief: boolean) =>
      (slot: number): Job => ({ ...request, kind: 'ldp-patch', body, brief, slot });
    const work = { stepMs: this.#settings.evaluationMs, job, transfer: [], bytes: body.length };
    return this.#read(isSmall(request), work, info, caller);
  }

  /**
   * Computes the effects of an update on the newest data, if it has no pattern (see
   * `SparqlDataJob`).
   */
  workOutData(update: WaitingUpdate, info: TaskInfo, caller?: Caller): Promise<Result<SparqlData>> {
    const job =
      (brief: boolean) =>
      (slot: number): Job => ({
        kind: 'sparql-data',
        snapshot: this.#snapshot(),
        request: update.requestNow(),
        brief,
        slot,
      });
    const { length } = update.text;
    const work = { stepMs: this.#settings.parseMs, job, transfer: [], bytes: length };
    return this.#read(length <= SMALL_DOCUMENT_BYTES, work, info, caller);
  }

  /**
   * A small document is first tried without waiting for heavy jobs. If it takes long, it joins
   * them.
   */
  async #read<T>(
    isSmall: boolean,
    { stepMs, bytes, job, transfer }: DocumentWork,
    info: TaskInfo,
    caller?: Caller,
  ): Promise<Result<T>> {
    const work = { info: { ...info, identity: info.identity ?? newIdentity() }, stepMs, bytes };
    if (isSmall) {
      // The data of a small document is copied to its thread, so that another thread can still use
      // it.
      const brief = { ...work, job: job(true), transfer: [] };
      const tried = await this.#whole<T | null>(this.#scheduler.smallDocuments, brief, caller);
      if (!tried.ok) return tried;
      if (tried.value !== null) return { ok: true, value: tried.value };
    }
    return this.#whole(this.#scheduler.heavy.parse, { ...work, job: job(false), transfer }, caller);
  }

  /**
   * Returns the representation of an RDF source of the LDP space if it fits in a chunk; otherwise
   * null (see `serialize`).
   */
  readRepresentation(
    request: RepresentationRequest,
    info: TaskInfo,
    caller?: Caller,
  ): Promise<Result<Uint8Array | null>> {
    const job = (slot: number): Job => ({ ...request, kind: 'representation', slot });
    const work = { info, stepMs: this.#settings.serializeMs, job, transfer: [] };
    return this.#whole(this.#scheduler.smallDocuments, work, caller);
  }

  /** Returns the entries of the named graphs in the list of graphs (see `GraphEntriesJob`). */
  writeGraphEntries(
    request: GraphEntriesRequest,
    info: TaskInfo,
    caller?: Caller,
  ): Promise<Result<Uint8Array>> {
    const job = (slot: number): Job => ({ ...request, kind: 'graph-entries', slot });
    const work = { info, stepMs: this.#settings.serializeMs, job, transfer: [] };
    return this.#whole(this.#scheduler.smallDocuments, work, caller);
  }

  /**
   * Reads the description of a node. `mediaType` is that of the requested document, if one is
   * requested.
   */
  readDescription(
    request: DescriptionRequest,
    info: TaskInfo,
    caller?: Caller,
  ): Promise<Result<Description>> {
    const job = (slot: number): Job => ({ ...request, kind: 'description', slot });
    const work = { info, stepMs: this.#settings.serializeMs, job, transfer: [] };
    return this.#whole(this.#scheduler.heavy.serialize, work, caller);
  }

  /** Returns a digest of what a client sees of an RDF source of the LDP space. */
  digestLdp(request: LdpStateRequest, info: TaskInfo, caller?: Caller): Promise<Result<string>> {
    const job = (slot: number): Job => ({ ...request, kind: 'ldp-state', slot });
    const work = { info, stepMs: this.#settings.serializeMs, job, transfer: [] };
    return this.#whole(this.#scheduler.heavy.serialize, work, caller);
  }

  /**
   * Writes a graph or a description: whole if it fits in a chunk (about 64 KiB), otherwise as an
   * iterable that must be read or left (`return`). The job is cancelled, and the iterable throws,
   * if nothing is taken from it for `stallMs`, or for a second while the thread can do nothing else
   * and other jobs wait for it.
   */
  serialize(
    request: SerializeRequest,
    info: TaskInfo,
    caller?: Caller,
  ): Promise<Result<Uint8Array | AsyncIterable<Uint8Array>>> {
    const { serializeMs: stepMs, stallMs } = this.#settings;
    return new Promise((resolve) => {
      const { port1, port2: port } = new MessageChannel();
      const cancel = () => this.#scheduler.cancel(submission);
      const contended = () => this.#scheduler.heavyWaits;
      const open = (document: Result<Uint8Array | AsyncIterable<Uint8Array>>) =>
        resolve(this.#throttle.apply(document));
      const stream = new ChunkStream(port1, { open, cancel, contended, buffered: this.#buffered, stallMs });
      const job = (slot: number): Job => ({
        ...request,
        kind: 'serialize',
        port,
        window: WINDOW,
        lowPriority: this.#throttle.expectsEvaluations,
        slot,
      });
      const settle = (result: Result<unknown>) => stream.finish(result);
      const work: HeavyWork = { info, stepMs, job, transfer: [port], settle };
      const submission = this.#submit(this.#scheduler.heavy.serialize, work, caller);
    });
  }

  checkpoint(request: CheckpointRequest): Promise<Result<CheckpointOutput>> {
    const job = (slot: number): Job => ({ ...request, kind: 'checkpoint', slot });
    return this.#maintain('checkpoint', job);
  }

  /** Merges several runs into one. */
  compact(compaction: Compaction): Promise<Result<Compacted>> {
    return this.#maintain('compaction', (slot) => ({ kind: 'compact', compaction, slot }));
  }

  /** Computes a large change, see `PlanChangesJob`. */
  planChanges(request: PlanChangesRequest): Promise<Result<PlannedChanges>> {
    return this.#maintain('planning of a change', (slot) => ({ ...request, kind: 'plan-changes', slot }));
  }

  /** Builds runs and files from a planned change, see `BuildChangesJob`. */
  buildChanges(request: BuildChangesRequest): Promise<Result<BuiltChanges>> {
    return this.#maintain('writing of a change', (slot) => ({ ...request, kind: 'build-changes', slot }));
  }

  /** Encodes a planned change for a shared log, see `EncodeChangesJob`. */
  encodeChanges(request: EncodeChangesRequest): Promise<Result<EncodedChanges>> {
    return this.#maintain('encoding of a change', (slot) => ({ ...request, kind: 'encode-changes', slot }));
  }

  /**
   * Returns the running tasks: batches, then jobs thread by thread. With `includeQueued` the
   * waiting ones follow.
   */
  tasks(includeQueued: boolean): TaskMap[] {
    return this.#tasks.list(includeQueued);
  }

  /**
   * Returns the batches, then the task that each thread is running: a batch appears again for every
   * thread that works for it.
   */
  tasksOfThreads(): TaskMap[] {
    return this.#tasks.ofThreads();
  }

  /** Yields the same tasks one by one, as they are listed when they are shown. */
  liveTasks(includeQueued: boolean): Iterable<LiveTask> {
    return this.#tasks.live(includeQueued);
  }

  /** How many tasks of each group have begun since the start. */
  get begun(): BegunTasks {
    return this.#scheduler.begun;
  }

  /** Returns what each thread has done, and does now. */
  readThreads(): ThreadReading[] {
    return this.#threads.workerSlots.map((slot) => readThread(slot, this.#board));
  }

  /** Returns the task of a batch that ended not long ago. */
  endedTask(group: string, name: string): TaskMap | undefined {
    return this.#batches.endedTask(group, name);
  }

  /**
   * Returns false if there is no such task. A task that is already stopping counts as cancelled.
   */
  cancelTask(group: string, name: string): boolean {
    return this.#tasks.cancel(group, name);
  }

  statistics(): Record<QueueName, QueueStatistics> {
    const { evaluations, unproven, slow, batch, smallDocuments, heavy } = this.#scheduler;
    const runs = [...this.#scheduler.runs()];
    return {
      ldpath: queueStatistics([evaluations, unproven, slow, batch], runs),
      parse: queueStatistics([smallDocuments, heavy.parse], runs),
      serialize: queueStatistics([heavy.serialize], runs),
      maintenance: queueStatistics([heavy.maintenance], runs),
    };
  }

  counts(): PoolCounts {
    const { evaluations, unproven, slow, batch, smallDocuments, heavy, quarantined } = this.#scheduler;
    const { workerSlots } = this.#threads;
    const idle = this.#threads.idleCount();
    const busy = workerSlots.filter(({ run }) => run !== null).length;
    const { parse, serialize, maintenance } = heavy;
    return {
      queues: {
        'ldpath-fast': evaluations,
        'ldpath-unproven': unproven,
        'ldpath-slow': slow,
        'ldpath-batch': batch,
        'parse-small': smallDocuments,
        parse,
        serialize,
        maintenance,
      },
      threads: { idle, busy, starting: workerSlots.length - idle - busy },
      quarantined,
    };
  }

  /** LDPath evaluations, and their steps, that threads have counted since the start. */
  get evaluated(): Evaluated {
    return this.#threadBoard.evaluated;
  }

  /**
   * Sets whether threads may run long jobs at a low priority of the operating system. At first they
   * may.
   */
  allowLowPriority(allowed: boolean): void {
    this.#threadBoard.hostBusy = !allowed;
  }

  /** Stops accepting jobs, gives those in progress `graceMs` to end, and terminates the threads. */
  async close(graceMs: number): Promise<void> {
    const error = shuttingDown();
    this.#scheduler.reject(error);
    await withinTime(this.#scheduler.drained(), graceMs);
    this.#scheduler.failAll(error);
    this.#watchdog.stop();
    await this.#threads.close();
    this.#times.close();
  }

  #evaluate(evaluation: Evaluation, caller?: Caller, whole?: WholeTask): Promise<EvaluationResult> {
    return new Promise((resolve) => {
      const now = monotonicMs();
      if (!whole) this.#throttle.note(now);
      const visible = visiblePatterns(caller ?? ownAccess);
      const seen = visible ? { ...evaluation, visible } : evaluation;
      const submission = new EvaluationSubmission({ evaluation: seen, resolve, caller, whole }, now);
      this.#scheduler.evaluate(submission);
      caller?.onAbort(() => this.#scheduler.cancel(submission));
    });
  }

  #submit(queue: DocumentQueue, work: HeavyWork, caller: Caller | undefined): Submission {
    const submission = new HeavySubmission(work, monotonicMs(), caller);
    this.#scheduler.submit(submission, queue);
    caller?.onAbort(() => this.#scheduler.cancel(submission));
    return submission;
  }

  /** Submits a job whose result comes in one piece, with the type of its kind (`Outputs`). */
  #whole<T>(queue: DocumentQueue, work: Omit<HeavyWork, 'settle'>, caller?: Caller): Promise<Result<T>> {
    return new Promise((resolve) => {
      this.#submit(queue, { ...work, settle: (result) => resolve(result as Result<T>) }, caller);
    });
  }

  #maintain<T>(label: string, job: (slot: number) => Job): Promise<Result<T>> {
    const info: TaskInfo = { group: 'default', label, detail: {} };
    const work = { info, stepMs: this.#settings.maintenanceMs, job, transfer: [] };
    return this.#whole(this.#scheduler.heavy.maintenance, work);
  }

  #onInternalError(error: Error, left: number): void {
    if (left === 0) {
      const none: ErrorData = { code: 'internal', message: 'No thread could be started.', details: {} };
      this.#scheduler.reject(none);
      this.#scheduler.failAll(none);
    }
    this.#report(error, left);
  }
}

function rowCount({ rows }: ProgramChangesRequest): number {
  return rows ? rows.rows.length / 4 : 0;
}

function budgetOf(settings: PoolSettings): WorkerData['budget'] {
  const {
    evaluationSteps: steps,
    evaluationTerms: terms,
    resultBytes,
    evaluationMs: milliseconds,
  } = settings;
  return { steps, terms, resultBytes, milliseconds };
}

/** Returns the bytes in a buffer of their own, since transferring a buffer transfers all of it. */
function ownBuffer(bytes: Uint8Array): Uint8Array {
  return bytes.byteLength === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes);
}

function isSmall({ body, gzip }: Pick<ParseJob, 'body' | 'gzip'>): boolean {
  return body.length <= SMALL_DOCUMENT_BYTES && !gzip;
}

function withinTime(done: Promise<void>, milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    void done.then(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
