import { workerData } from 'node:worker_threads';
import { ownThreadId } from '../../../src/base/thread-priority.ts';
import type { PackedBatch, PackedOutput, SparqlThreadData } from '../../../src/sparql/messages.ts';
import { unpackJobs } from '../../../src/sparql/packed-batch.ts';
import { packOutput } from '../../../src/sparql/packed-output.ts';
import type { MirrorImage } from '../../../src/sparql/thread/mirror.ts';
import { ThreadStatus } from '../../../src/sparql/thread-status.ts';
import { FaultyThreads, SLOW } from './faulty-threads.ts';

const data = workerData as SparqlThreadData;
const status = new ThreadStatus(data.status);
status.threadId = ownThreadId();
const faulty = new FaultyThreads(data.changeFeed);

const image: MirrorImage = {
  memory: { memory: new SharedArrayBuffer(0), tableLength: 0, values: [], store: 0, size: 0 },
  sequence: 0,
  isMerged: false,
  spellings: new SharedArrayBuffer(0),
};
let hasInstance = false;

/**
 * Replaces the SPARQL engine: fails as the test demands before the first job, then returns
 * results. Ends a batch with an image, like the engine.
 */
export default function runBatch(batch: PackedBatch): PackedOutput {
  const jobs = unpackJobs(batch.jobs);
  status.step = 'filling';
  faulty.fail(status);
  const failure = faulty.failure();
  const fills = !hasInstance && !batch.image;
  if (fills) faulty.fill(status);
  const givesImage = fills && faulty.images;
  hasInstance = true;
  const answered = givesImage || failure !== undefined ? [] : jobs;
  const body = new TextEncoder().encode('done');
  const results = answered.map((job, index) => {
    status.begin(index);
    if (job.kind === 'query' && job.query.text === SLOW) faulty.linger(!data.lowPriority);
    return { ok: true, value: { sequence: 0, body } } as const;
  });
  const times = results.map(() => 1);
  const state = { isBloated: failure !== undefined, isBroken: false, isTooBig: false, failure };
  return packOutput({ ...state, results, times, image: givesImage ? image : undefined }, (result) => result);
}
