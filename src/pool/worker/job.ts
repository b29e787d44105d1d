import { workerData } from 'node:worker_threads';
import { ownThreadId } from '../../base/thread-priority.ts';
import { openDisk } from '../../journal/disk/open-disk.ts';
import { RepresentationCursor } from '../../ldp/pool/representation.ts';
import { LengthyDocumentError } from '../../rdf/formats/unfolding-budget.ts';
import type { QuadBlock } from '../../rdf/model/quad-block.ts';
import type { SnapshotDescriptor } from '../../snapshot/descriptor.ts';
import { buildIriIndex } from '../../snapshot/dictionary/iri-index.ts';
import type { SnapshotReader } from '../../snapshot/read/reader.ts';
import { SnapshotCache } from '../../snapshot/read/snapshot-cache.ts';
import { carryOut } from '../../snapshot/runs/compact.ts';
import { dataEffects } from '../../sparql/effects/data-update.ts';
import { buildChanges } from '../../store/bulk/build-changes.ts';
import { planChanges } from '../../store/bulk/plan-changes.ts';
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
  SerializeJob,
  SparqlData,
  SparqlDataJob,
} from '../messages.ts';
import { TaskBoard } from '../tasks/board.ts';
import { ThreadBoard } from '../threads/status-board.ts';
import { endGrowth } from '../threads/v8-heap.ts';
import type { WorkerData } from '../threads/worker-data.ts';
import { BatchRunner } from './batch-job.ts';
import { CurrentStep, cancelledError } from './current-step.ts';
import { readDescription } from './describe.ts';
import { writeGraphEntries } from './graph-entries.ts';
import { describeLanguage } from './language-tables.ts';
import { readLdpBody } from './ldp-body.ts';
import { readLdpPatch } from './ldp-patch.ts';
import { withLowPriority as runInBack } from './low-priority.ts';
import { MicroBatchRunner } from './micro-batch.ts';
import { parseDocument } from './parse-job.ts';
import { PathEvaluator } from './path-evaluator.ts';
import { sendDocument, shortDocument } from './serialize-job.ts';
import { DocumentRunner } from './small-documents.ts';
import { failure, outcome, shareOrCopy, shareOrCopyBlock } from './transfer.ts';

/** A document of this many bytes takes a tenth of a second. */
const LONG_DOCUMENT_BYTES = 1024 * 1024;

endGrowth();

const data = workerData as WorkerData;
const threadId = ownThreadId();
const threads = new ThreadBoard(data.threads);
const step = new CurrentStep(new TaskBoard(data.board));
const snapshots = new SnapshotCache();
const evaluator = new PathEvaluator(data, step);
const microBatches = new MicroBatchRunner(step, data.budget.resultBytes);
const documents = new DocumentRunner(step);
const batches = new BatchRunner(evaluator, step, data.budget.resultBytes);

/**
 * Runs each job that a pool thread receives. Returns a `Result` with the output of the job's kind
 * (`Outputs`).
 */
export default async function runJob(job: Job): Promise<unknown> {
  threads.announce(job.slot, threadId);
  try {
    if (job.kind === 'evaluate') return evaluate(job);
    if (job.kind === 'batch') return await withLowPriority(() => batch(job));
    if (job.kind === 'documents') return documents.run(job, readDocument);
    if (!step.begin(job.slot, 0)) throw cancelledError();
    switch (job.kind) {
      case 'describe':
        return outcome(describeLanguage());
      case 'description':
        return describe(job);
      case 'index':
        return outcome(buildIriIndex(snapshots.open(job.snapshot).terms, job.previous));
      case 'serialize':
        await (job.lowPriority ? withLowPriority(() => sendGraph(job)) : sendGraph(job));
        return outcome(null);
      case 'checkpoint':
        return outcome(await withLowPriority(() => checkpoint(job)));
      case 'compact':
        return outcome(await withLowPriority(() => carryOut(job.compaction)));
      case 'plan-changes':
        return outcome(await withLowPriority(() => planChanges(job)));
      case 'build-changes':
        return outcome(await withLowPriority(() => build(job)));
      default:
        return outcome(isLong(job) ? await withLowPriority(() => readDocument(job)) : readDocument(job));
    }
  } catch (error) {
    return failure(error);
  }
}

/** Runs a long job at a low priority, unless it would then get hardly any processor time. */
function withLowPriority<T>(work: () => T | Promise<T>): T | Promise<T> {
  return threads.hostBusy ? work() : runInBack(work);
}

function isLong(job: DocumentJob): boolean {
  if (job.kind === 'sparql-data') return job.request.text.length >= LONG_DOCUMENT_BYTES;
  return 'body' in job && job.body.length >= LONG_DOCUMENT_BYTES;
}

function evaluate(job: EvaluateJob): unknown {
  const graph = openGraph(job.snapshot);
  const output = microBatches.run(job, (evaluation, out) => evaluator.write(evaluation, graph, out));
  return outcome({ ...output, bytes: shareOrCopy(output.bytes) });
}

function batch(job: BatchJob): unknown {
  const graph = openGraph(job.snapshot);
  if (!step.begin(job.slot, 0)) throw cancelledError();
  const output = batches.run(job, graph);
  const { lines } = output;
  return outcome(lines instanceof Uint8Array ? { ...output, lines: shareOrCopy(lines) } : output);
}

function openGraph(snapshot: SnapshotDescriptor | null): SnapshotReader {
  return snapshot === null ? snapshots.reopen() : snapshots.open(snapshot);
}

function sendGraph(job: SerializeJob): Promise<void> {
  return sendDocument(job, snapshots.open(job.snapshot), step);
}

function describe(job: DescriptionJob): unknown {
  const description = readDescription(job, snapshots.open(job.snapshot));
  const { document } = description;
  return outcome({ ...description, document: document && shareOrCopy(document) });
}

/** Returns null if a job with `brief` takes long. */
function readDocument(job: DocumentJob): unknown {
  try {
    return outputOf(job);
  } catch (error) {
    if (error instanceof LengthyDocumentError) return null;
    throw error;
  }
}

function outputOf(job: DocumentJob): unknown {
  switch (job.kind) {
    case 'parse':
      return parse(job);
    case 'representation':
      return represent(job);
    case 'graph-entries':
      return shareOrCopy(writeGraphEntries(job, snapshots.open(job.snapshot)));
    case 'ldp-body':
      return ldpBody(job);
    case 'ldp-patch':
      return ldpPatch(job);
    case 'sparql-data':
      return sparqlData(job);
  }
}

function parse(job: ParseJob): QuadBlock {
  return shareOrCopyBlock(parseDocument(job, step, data.parseMs));
}

function represent({ source, mediaType, snapshot }: RepresentationJob): Uint8Array | null {
  const quads = new RepresentationCursor(snapshots.open(snapshot), source);
  const document = shortDocument(quads, mediaType);
  return document && shareOrCopy(document);
}

function ldpBody(job: LdpBodyJob): LdpBody {
  const body = readLdpBody(job, snapshots.open(job.snapshot), step, data.parseMs);
  return { ...body, block: shareOrCopyBlock(body.block) };
}

function ldpPatch(job: LdpPatchJob): LdpPatch | null {
  const patch = readLdpPatch(job, snapshots.open(job.snapshot));
  if (!patch) return null;
  return {
    ...patch,
    additions: shareOrCopyBlock(patch.additions),
    removals: shareOrCopyBlock(patch.removals),
  };
}

function sparqlData({ snapshot, request, brief }: SparqlDataJob): SparqlData {
  return { effects: dataEffects(snapshots.open(snapshot), request, brief) };
}

async function build(job: BuildChangesJob): Promise<BuiltChanges> {
  return buildChanges(job.patch && (await openDisk(job.patch.directory, job.patch.lease)), job);
}

async function checkpoint(job: CheckpointJob): Promise<CheckpointOutput> {
  const { snapshot, directory, lease, imageFile } = job;
  return writeCheckpoint(await openDisk(directory, lease), snapshot, imageFile);
}
