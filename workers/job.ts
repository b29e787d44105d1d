import { workerData } from 'node:worker_threads';
import { transferables } from '../src/graph/quad-block.ts';
import { openNodeDisk } from '../src/journal/node-disk.ts';
import type {
  BulkJob,
  CheckpointJob,
  CheckpointOutput,
  DescriptionJob,
  EvaluateJob,
  Job,
  LdpBodyJob,
  LdpPatchJob,
  ParseJob,
  RepresentationJob,
} from '../src/pool/messages.ts';
import { TaskBoard } from '../src/pool/task-board.ts';
import type { WorkerData } from '../src/pool/worker-data.ts';
import { RepresentationCursor } from '../src/services/ldp/representation.ts';
import { compact } from '../src/snapshot/compact.ts';
import { buildIriIndex } from '../src/snapshot/iri-index.ts';
import { SnapshotCache } from '../src/snapshot/snapshot-cache.ts';
import { writeCheckpoint } from '../src/store/checkpoint-writer.ts';
import { BatchRunner } from './batch.ts';
import { BulkRunner } from './bulk.ts';
import { CurrentStep, cancelledError } from './current-step.ts';
import { readDescription } from './description.ts';
import { describeLanguage } from './language.ts';
import { readLdpBody } from './ldp-body.ts';
import { readLdpPatch } from './ldp-patch.ts';
import { failure, outcome } from './outcome.ts';
import { parseDocument } from './parse.ts';
import { PathEvaluator } from './path-evaluator.ts';
import { sendDocument, shortDocument } from './serialize.ts';
import { standBack } from './stand-back.ts';

const data = workerData as WorkerData;
const step = new CurrentStep(new TaskBoard(data.board));
const snapshots = new SnapshotCache();
const evaluator = new PathEvaluator(data, step);
const batches = new BatchRunner(step, data.budget.resultBytes);
const bulks = new BulkRunner(evaluator, step, data.budget.resultBytes);

/** What a pool thread runs, for each job that it is handed. Gives a `Result` of the kind's output (`Outputs`). */
export default async function runJob(job: Job): Promise<unknown> {
  try {
    if (job.kind === 'evaluate') return evaluate(job);
    if (!step.begin(job.slot, 0)) throw cancelledError();
    switch (job.kind) {
      case 'bulk':
        return bulk(job);
      case 'describe':
        return outcome(describeLanguage(), []);
      case 'description':
        return describe(job);
      case 'index':
        return outcome(buildIriIndex(snapshots.open(job.snapshot).terms, job.previous), []);
      case 'parse':
        return parse(job);
      case 'serialize':
        await standBack(() => sendDocument(job, snapshots.open(job.snapshot), step));
        return outcome(null, []);
      case 'checkpoint':
        return outcome(await standBack(() => checkpoint(job)), []);
      case 'compact':
        return outcome(await standBack(() => compact(job.snapshot)), []);
      case 'representation':
        return represent(job);
      case 'ldp-body':
        return ldpBody(job);
      case 'ldp-patch':
        return ldpPatch(job);
    }
  } catch (error) {
    return failure(error);
  }
}

function evaluate(job: EvaluateJob): unknown {
  const graph = job.snapshot === null ? snapshots.reopen() : snapshots.open(job.snapshot);
  const output = batches.run(job, (evaluation, out) => evaluator.write(evaluation, graph, out));
  return outcome(output, [output.bytes.buffer]);
}

function bulk(job: BulkJob): unknown {
  const output = bulks.run(job, snapshots.open(job.snapshot));
  return outcome(output, [output.bytes.buffer]);
}

function describe(job: DescriptionJob): unknown {
  const description = readDescription(job, snapshots.open(job.snapshot));
  return outcome(description, description.document ? [description.document.buffer] : []);
}

function parse(job: ParseJob): unknown {
  const block = parseDocument(job, step, data.parseMs);
  return outcome(block, transferables(block));
}

function represent({ source, mediaType, snapshot }: RepresentationJob): unknown {
  const quads = new RepresentationCursor(snapshots.open(snapshot), source);
  const document = shortDocument(quads, mediaType);
  return outcome(document, document ? [document.buffer] : []);
}

function ldpBody(job: LdpBodyJob): unknown {
  const body = readLdpBody(job, snapshots.open(job.snapshot), step, data.parseMs);
  return outcome(body, transferables(body.block));
}

function ldpPatch(job: LdpPatchJob): unknown {
  const patch = readLdpPatch(job, snapshots.open(job.snapshot));
  const blocks = patch ? [patch.additions, patch.removals] : [];
  return outcome(patch, blocks.flatMap(transferables));
}

async function checkpoint(job: CheckpointJob): Promise<CheckpointOutput> {
  const { snapshot, directory, quadsFile, imageFile } = job;
  const disk = await openNodeDisk(directory);
  return writeCheckpoint(disk, snapshot, quadsFile, imageFile);
}
