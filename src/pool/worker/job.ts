import { ownThreadId } from '../../base/thread-priority.ts';
import { openDisk } from '../../journal/disk/open-disk.ts';
import { RepresentationCursor } from '../../ldp/pool/representation.ts';
import { shownDigest } from '../../ldp/pool/shown-state.ts';
import { PreloadedContexts } from '../../rdf/formats/jsonld/preloaded-contexts.ts';
import { commonTable, type PrefixTable } from '../../rdf/formats/prefix-table.ts';
import { LengthyDocumentError } from '../../rdf/formats/unfolding-budget.ts';
import type { QuadBlock } from '../../rdf/model/quad-block.ts';
import type { SnapshotDescriptor } from '../../snapshot/descriptor.ts';
import { buildIriIndex } from '../../snapshot/dictionary/iri-index.ts';
import type { SnapshotReader } from '../../snapshot/read/reader.ts';
import { SnapshotCache } from '../../snapshot/read/snapshot-cache.ts';
import { carryOut } from '../../snapshot/runs/compact.ts';
import { dataEffects } from '../../sparql/effects/data-update.ts';
import { buildChanges } from '../../store/big-write/build-changes.ts';
import { encodeChanges } from '../../store/big-write/encode-changes.ts';
import { planChanges } from '../../store/big-write/plan-changes.ts';
import { writeCheckpoint } from '../../store/checkpoint/write-checkpoint.ts';
import type { BuildChangesJob, BuiltChanges } from '../change-messages.ts';
import type {
  BatchJob,
  CheckpointJob,
  CheckpointOutput,
  DescriptionJob,
  DocumentJob,
  EvaluateJob,
  Job,
  LdpBody,
  LdpBodyJob,
  LdpPatch,
  LdpPatchJob,
  ParseJob,
  RepresentationJob,
  SentDataJob,
  SentDataOutput,
  SerializeJob,
  SparqlData,
  SparqlDataJob,
} from '../messages.ts';
import type { ProgramChangesJob, ProgramChangesOutput } from '../program-changes.ts';
import { TaskBoard } from '../tasks/board.ts';
import { ThreadBoard } from '../threads/status-board.ts';
import type { WorkerData } from '../threads/worker-data.ts';
import { BatchRunner } from './batch-job.ts';
import { CurrentStep, cancelledError } from './current-step.ts';
import { readDescription } from './describe.ts';
import { type ParseSetup, parseDocument } from './documents/parse-job.ts';
import { parseSent, SentDataRunner } from './documents/sent-data-job.ts';
import { WindowRunner } from './feed/window-runner.ts';
import { writeGraphEntries } from './graph-entries.ts';
import { describeLanguage } from './language-tables.ts';
import { readLdpBody } from './ldp-body.ts';
import { readLdpPatch } from './ldp-patch.ts';
import { withLowPriority as runInBack } from './low-priority.ts';
import { MicroBatchRunner } from './micro-batch.ts';
import { PathEvaluator } from './path-evaluator.ts';
import { prefixesOf, sendDocument, shortDocument } from './serialize-job.ts';
import { DocumentRunner } from './small-documents.ts';
import { StartSetReader } from './starts/set-reader.ts';
import { ThreadPrefixes } from './thread-prefixes.ts';
import { failure, outcome, shareOrCopy, shareOrCopyBlock } from './transfer.ts';

/** A document of this many bytes takes a tenth of a second. */
const LONG_DOCUMENT_BYTES = 1024 * 1024;

/** The terms of a quad of sent data take up to 600 bytes of the heap if no other quad has them. */
const SENT_QUADS_A_MEGABYTE = 1024;

/** Runs the jobs of one pool thread. */
export class JobRunner {
  readonly #parsing: ParseSetup;
  readonly #threadId = ownThreadId();
  readonly #threads: ThreadBoard;
  readonly #step: CurrentStep;
  readonly #snapshots = new SnapshotCache();
  readonly #prefixes: ThreadPrefixes;
  readonly #evaluator: PathEvaluator;
  readonly #microBatches: MicroBatchRunner;
  readonly #documents: DocumentRunner;
  readonly #batches: BatchRunner;
  readonly #windows: WindowRunner;
  readonly #sentData: SentDataRunner;
  readonly #starts: StartSetReader;
  /** What the board already has. */
  #countedEvaluations = 0;
  #countedSteps = 0;

  constructor(data: WorkerData) {
    const { resultBytes } = data.budget;
    this.#parsing = { limitMs: data.parseMs, contexts: new PreloadedContexts(data.contexts) };
    this.#prefixes = new ThreadPrefixes(data);
    this.#threads = new ThreadBoard(data.threads);
    this.#step = new CurrentStep(new TaskBoard(data.board));
    this.#evaluator = new PathEvaluator(data, this.#step);
    this.#microBatches = new MicroBatchRunner(this.#step, resultBytes);
    this.#documents = new DocumentRunner(this.#step);
    this.#batches = new BatchRunner(this.#evaluator, this.#step, resultBytes);
    this.#windows = new WindowRunner(this.#evaluator, this.#step, data);
    this.#sentData = new SentDataRunner(this.#evaluator, this.#step, {
      resultBytes,
      quads: data.heapMegabytes * SENT_QUADS_A_MEGABYTE,
    });
    this.#starts = new StartSetReader(this.#evaluator, this.#step, data.budget.terms);
  }

  /**
   * Runs each job that a pool thread receives. Returns a `Result` with the output of the job's kind
   * (`Outputs`).
   */
  async run(job: Job): Promise<unknown> {
    this.#threads.announce(job.slot, this.#threadId);
    try {
      if (job.kind === 'evaluate') return this.#evaluate(job);
      if (job.kind === 'batch') return await this.#withLowPriority(() => this.#batch(job));
      if (job.kind === 'documents') return this.#documents.run(job, (each) => this.#readDocument(each));
      if (!this.#step.begin(job.slot, 0)) throw cancelledError();
      switch (job.kind) {
        case 'describe':
          return outcome(describeLanguage());
        case 'program-changes':
          return outcome(await this.#withLowPriority(() => this.#compare(job)));
        case 'starts':
          return outcome(this.#starts.read(job, this.#openGraph(job.snapshot).visibleTo(job.visible)));
        case 'description':
          return this.#describe(job);
        case 'ldp-state':
          return outcome(shownDigest(job, this.#snapshots.open(job.snapshot)));
        case 'index':
          return outcome(buildIriIndex(this.#snapshots.open(job.snapshot).terms, job.previous));
        case 'serialize':
          await (job.lowPriority ? this.#withLowPriority(() => this.#sendGraph(job)) : this.#sendGraph(job));
          return outcome(null);
        case 'sent-data':
          return outcome(await this.#withLowPriority(() => this.#evaluateSent(job)));
        case 'checkpoint':
          return outcome(await this.#withLowPriority(() => this.#checkpoint(job)));
        case 'compact':
          return outcome(await this.#withLowPriority(() => carryOut(job.compaction)));
        case 'plan-changes':
          return outcome(await this.#withLowPriority(() => planChanges(job)));
        case 'build-changes':
          return outcome(await this.#withLowPriority(() => this.#build(job)));
        case 'encode-changes':
          return outcome(await this.#withLowPriority(() => encodeChanges(job)));
        default:
          return outcome(
            isLong(job)
              ? await this.#withLowPriority(() => this.#readDocument(job))
              : this.#readDocument(job),
          );
      }
    } catch (error) {
      return failure(error);
    }
  }

  /** Runs a long job at a low priority, unless it would then get hardly any processor time. */
  #withLowPriority<T>(work: () => T | Promise<T>): T | Promise<T> {
    return this.#threads.hostBusy ? work() : runInBack(work);
  }

  #evaluate(job: EvaluateJob): unknown {
    const graph = this.#openGraph(job.snapshot);
    const output = this.#microBatches.run(job, (evaluation, out) =>
      this.#evaluator.write(evaluation, graph.visibleTo(evaluation.visible), out),
    );
    this.#countEvaluated(job.slot);
    return outcome({ ...output, bytes: shareOrCopy(output.bytes) });
  }

  #batch(job: BatchJob): unknown {
    const graph = this.#openGraph(job.snapshot).visibleTo(job.visible);
    if (!this.#step.begin(job.slot, 0)) throw cancelledError();
    const output = this.#batches.run(job, graph);
    this.#countEvaluated(job.slot);
    const { lines } = output;
    return outcome(lines instanceof Uint8Array ? { ...output, lines: shareOrCopy(lines) } : output);
  }

  #compare(job: ProgramChangesJob): ProgramChangesOutput {
    this.#openGraph(job.snapshot);
    const output = this.#windows.run(job);
    this.#countEvaluated(job.slot);
    return output;
  }

  #evaluateSent(job: SentDataJob): SentDataOutput {
    const block = parseSent(job.document, this.#step, this.#parsing);
    this.#openGraph(job.snapshot);
    const output = this.#sentData.run(job, block);
    this.#countEvaluated(job.slot);
    return { ...output, bytes: shareOrCopy(output.bytes) };
  }

  #countEvaluated(slot: number): void {
    const { evaluations, totalSteps } = this.#evaluator;
    this.#threads.addEvaluated(slot, evaluations - this.#countedEvaluations, totalSteps - this.#countedSteps);
    this.#countedEvaluations = evaluations;
    this.#countedSteps = totalSteps;
  }

  /** Opens the data of the next evaluations, which know the prefixes of the same commit. */
  #openGraph(snapshot: SnapshotDescriptor | null): SnapshotReader {
    const reader = snapshot === null ? this.#snapshots.reopen() : this.#snapshots.open(snapshot);
    this.#evaluator.programs.use(this.#prefixes.of(reader));
    return reader;
  }

  #sendGraph(job: SerializeJob): Promise<void> {
    const reader = this.#snapshots.open(job.snapshot);
    // The tag of an earlier state is that of its commit, so it must not depend on later prefixes.
    const isEarlier = 'earlier' in job.source && job.source.earlier !== undefined;
    const shared = isEarlier ? commonTable : this.#sharedBy(reader);
    return sendDocument(job, { reader, shared }, this.#step);
  }

  /** The prefixes with which the documents of a snapshot are written, besides those of graphs. */
  #sharedBy(reader: SnapshotReader): PrefixTable {
    return this.#prefixes.of(reader).forDocuments;
  }

  #describe(job: DescriptionJob): unknown {
    const reader = this.#snapshots.open(job.snapshot);
    const description = readDescription(job, reader, this.#sharedBy(reader));
    const { document } = description;
    return outcome({ ...description, document: document && shareOrCopy(document) });
  }

  /** Returns null if a job with `brief` takes long. */
  #readDocument(job: DocumentJob): unknown {
    try {
      return this.#outputOf(job);
    } catch (error) {
      if (error instanceof LengthyDocumentError) return null;
      throw error;
    }
  }

  #outputOf(job: DocumentJob): unknown {
    switch (job.kind) {
      case 'parse':
        return this.#parse(job);
      case 'representation':
        return this.#represent(job);
      case 'graph-entries':
        return shareOrCopy(writeGraphEntries(job, this.#snapshots.open(job.snapshot).visibleTo(job.visible)));
      case 'ldp-body':
        return this.#ldpBody(job);
      case 'ldp-patch':
        return this.#ldpPatch(job);
      case 'sparql-data':
        return this.#sparqlData(job);
    }
  }

  #parse(job: ParseJob): QuadBlock {
    return shareOrCopyBlock(parseDocument(job, this.#step, this.#parsing));
  }

  #represent({ source, mediaType, snapshot, visible }: RepresentationJob): Uint8Array | null {
    const reader = this.#snapshots.open(snapshot);
    const quads = new RepresentationCursor(reader, source, visible);
    const prefixes = prefixesOf({ source }, reader);
    const document = shortDocument(quads, { mediaType, prefixes, shared: this.#sharedBy(reader) });
    return document && shareOrCopy(document);
  }

  #ldpBody(job: LdpBodyJob): LdpBody {
    const body = readLdpBody(job, this.#snapshots.open(job.snapshot), this.#step, this.#parsing);
    return { ...body, block: shareOrCopyBlock(body.block) };
  }

  #ldpPatch(job: LdpPatchJob): LdpPatch | null {
    const patch = readLdpPatch(job, this.#snapshots.open(job.snapshot));
    if (!patch) return null;
    return {
      ...patch,
      additions: shareOrCopyBlock(patch.additions),
      removals: shareOrCopyBlock(patch.removals),
    };
  }

  #sparqlData({ snapshot, request, brief }: SparqlDataJob): SparqlData {
    return { effects: dataEffects(this.#snapshots.open(snapshot), request, brief) };
  }

  async #build(job: BuildChangesJob): Promise<BuiltChanges> {
    return buildChanges(job.patch && (await openDisk(job.patch.directory, job.patch.lease)), job);
  }

  async #checkpoint(job: CheckpointJob): Promise<CheckpointOutput> {
    const { snapshot, directory, lease, imageFile } = job;
    return writeCheckpoint(await openDisk(directory, lease), snapshot, imageFile);
  }
}

function isLong(job: DocumentJob): boolean {
  if (job.kind === 'sparql-data') return job.request.text.length >= LONG_DOCUMENT_BYTES;
  return 'body' in job && job.body.length >= LONG_DOCUMENT_BYTES;
}
