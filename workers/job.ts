import { workerData } from 'node:worker_threads';
import type { Job } from '../src/pool/messages.ts';
import { endGrowth } from '../src/pool/threads/v8-heap.ts';
import type { WorkerData } from '../src/pool/threads/worker-data.ts';
import { JobRunner } from '../src/pool/worker/job.ts';

endGrowth();

const runner = new JobRunner(workerData as WorkerData);

/** Runs a job in a pool thread. */
export default function runJob(job: Job): Promise<unknown> {
  return runner.run(job);
}
