import { workerData } from 'node:worker_threads';
import { ownThreadId } from '../../../src/base/thread-priority.ts';
import type { PackedBatch, PackedOutput, SparqlThreadData } from '../../../src/sparql/messages.ts';
import { unpackJobs } from '../../../src/sparql/packed-batch.ts';
import { packOutput } from '../../../src/sparql/packed-output.ts';
import { ThreadStatus } from '../../../src/sparql/thread-status.ts';
import { FaultyThreads } from './faulty-threads.ts';

const data = workerData as SparqlThreadData;
const status = new ThreadStatus(data.status);
status.threadId = ownThreadId();
const faulty = new FaultyThreads(data.changeFeed);

/** In place of the SPARQL engine: does what the test says before the first job, then answers. */
export default function runBatch(batch: PackedBatch): PackedOutput {
  const jobs = unpackJobs(batch.jobs);
  status.step = 'filling';
  faulty.fail(status);
  const body = new TextEncoder().encode('done');
  const results = jobs.map(() => ({ ok: true, value: { sequence: 0, body } }) as const);
  if (jobs.length > 0) status.begin(0);
  const nothing = { isBloated: false, isTooBig: false, image: undefined };
  return packOutput({ results, times: jobs.map(() => 1), ...nothing }, (result) => result);
}
