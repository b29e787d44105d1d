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
  ParseJob,
} from '../src/pool/messages.ts';
import { TaskBoard } from '../src/pool/task-board.ts';
import type { WorkerData } from '../src/pool/worker-data.ts';
import { compact } from '../src/snapshot/compact.ts';
import { buildIriIndex } from '../src/snapshot/iri-index.ts';
import { SnapshotCache } from '../src/snapshot/snapshot-cache.ts';
import { writeCheckpoint } from '../src/store/checkpoint-writer.ts';
import { BatchRunner } from './batch.ts';
import { BulkRunner } from './bulk.ts';
import { CurrentStep, cancelledError } from './current-step.ts';
import { readDescription } from './description.ts';
import { describeLanguage } from './language.ts';
import { failure, outcome } from './outcome.ts';
import { parseDocument } from './parse.ts';
import { PathEvaluator } from './path-evaluator.ts';
import { sendDocument } from './serialize.ts';
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
      case 'ldp-body':
      case 'ldp-patch':
        throw new Error('The LDP space can not be read yet.');
    }
  } catch (error) {
    return failure(error);
  }
}

function evaluate(job: EvaluateJob): unknown {
  const graph = snapshots.open(job.snapshot);
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

async function checkpoint(job: CheckpointJob): Promise<CheckpointOutput> {
  const { snapshot, directory, quadsFile, imageFile } = job;
  const disk = await openNodeDisk(directory);
  return writeCheckpoint(disk, snapshot, quadsFile, imageFile);
}
