import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EvaluationSubmission } from '../../../src/pool/runs/submission.ts';
import { FairShare } from '../../../src/pool/scheduling/fair-share.ts';
import { JobQueue } from '../../../src/pool/scheduling/job-queue.ts';
import { evaluation } from '../fixtures/fake-pool.ts';

function queueOf(name: 'ldpath' | 'parse', weight: number, jobs: number): JobQueue {
  const lane = name === 'ldpath' ? 'fast' : 'heavy';
  const queue = new JobQueue({ name, weight, depth: 1000, lane });
  for (let i = 0; i < jobs; i++)
    queue.push(new EvaluationSubmission({ evaluation: evaluation('x'), resolve: () => {} }, 0));
  return queue;
}

/** Runs `turns` jobs, each for the duration of its queue, and counts them by queue. */
function take(
  share: FairShare<JobQueue>,
  turns: number,
  cost: (queue: JobQueue) => number,
): Map<JobQueue, number> {
  const counts = new Map<JobQueue, number>();
  for (let i = 0; i < turns; i++) {
    const queue = share.next(() => true)!;
    queue.shift();
    queue.charge(cost(queue));
    counts.set(queue, (counts.get(queue) ?? 0) + 1);
  }
  return counts;
}

test('shares are by thread time, not by the number of jobs', () => {
  const fast = queueOf('ldpath', 1, 500);
  const slow = queueOf('parse', 1, 500);
  const counts = take(new FairShare([fast, slow]), 110, (queue) => (queue === slow ? 10 : 1));
  assert.deepEqual([counts.get(fast), counts.get(slow)], [100, 10]);
});

test('a queue that was idle does not get extra time afterwards', () => {
  const busy = queueOf('ldpath', 1, 500);
  const late = queueOf('parse', 1, 0);
  const share = new FairShare([busy, late]);
  take(share, 100, () => 1);
  share.wake(late);
  for (let i = 0; i < 100; i++)
    late.push(new EvaluationSubmission({ evaluation: evaluation('x'), resolve: () => {} }, 0));
  const counts = take(share, 20, () => 1);
  assert.ok(counts.get(busy)! >= 9);
});

test('a queue of heavy jobs is skipped while no more heavy jobs may run', () => {
  const heavy = queueOf('parse', 1, 1);
  assert.equal(
    new FairShare([heavy]).next((queue) => queue.lane !== 'heavy'),
    null,
  );
  assert.equal(
    new FairShare([heavy]).next(() => true),
    heavy,
  );
});
