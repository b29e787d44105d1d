import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EvaluationSubmission } from '../../../src/pool/runs/submission.ts';
import { JobQueue, type JobQueueOptions } from '../../../src/pool/scheduling/job-queue.ts';
import { fakeCaller } from '../../support/callers.ts';
import { evaluation } from '../fixtures/fake-pool.ts';

type Queue = JobQueue<EvaluationSubmission>;

function queueWith(options: Partial<JobQueueOptions> = {}): Queue {
  return new JobQueue({ name: 'ldpath', weight: 1, depth: 1_000, lane: 'slow', ...options });
}

function job(client: string, source = client, submitted = 0): EvaluationSubmission {
  const caller = fakeCaller(undefined, client);
  return new EvaluationSubmission({ evaluation: evaluation(source), resolve: () => {}, caller }, submitted);
}

function pushMany(queue: Queue, client: string, count: number): void {
  for (let i = 0; i < count; i++) queue.push(job(client, `${client}${i}`));
}

/** Takes jobs that run for the duration of their client, and returns their programs. */
function run(queue: Queue, count: number, milliseconds: (client: string) => number = () => 1): string[] {
  return Array.from({ length: count }, () => {
    const next = queue.shift()!;
    queue.recordJob(next, milliseconds(next.client));
    return next.programKey;
  });
}

test('clients take turns, regardless of their number of jobs', () => {
  const queue = queueWith();
  pushMany(queue, 'a', 100);
  pushMany(queue, 'b', 2);
  assert.deepEqual(run(queue, 6), ['a0', 'b0', 'a1', 'b1', 'a2', 'a3']);
});

test('turns are by thread time, not by the number of jobs', () => {
  const queue = queueWith();
  pushMany(queue, 'long', 100);
  pushMany(queue, 'short', 100);
  const programs = run(queue, 88, (client) => (client === 'long' ? 10 : 1));
  const long = programs.filter((program) => program.startsWith('long')).length;
  assert.ok(long >= 6 && long <= 10, `${long} of 88 were long`);
});

test('a client that submits one job at a time does not get extra time', () => {
  const queue = queueWith();
  pushMany(queue, 'many', 100);
  const order: string[] = [];
  for (let i = 0; i < 40; i++) {
    if (queue.lengthOf('single') === 0) queue.push(job('single'));
    order.push(...run(queue, 1, (client) => (client === 'single' ? 10 : 1)));
  }
  const single = order.filter((program) => program === 'single').length;
  assert.ok(single >= 3 && single <= 6, `${single} of 40 were those of the single one`);
});

test('a client is charged one second at most for a long run', () => {
  const queue = queueWith();
  queue.push(job('long', 'first'));
  run(queue, 1, () => 60_000);
  queue.push(job('long', 'second'));
  pushMany(queue, 'other', 2_000);
  const waited = run(queue, 1_999).indexOf('second');
  assert.ok(waited > 900 && waited < 1_100, `${waited} other jobs of a millisecond went before`);
});

test("a job that could not run returns to the front of its client's queue, and is not charged", () => {
  const queue = queueWith();
  pushMany(queue, 'a', 5);
  const taken = [queue.shift()!, queue.shift()!, queue.shift()!];
  assert.deepEqual([queue.length, queue.lengthOf('a')], [2, 2]);
  queue.push(job('b'));
  queue.putBack(taken.slice(1));
  assert.deepEqual(run(queue, 5).toSorted(), ['a1', 'a2', 'a3', 'a4', 'b']);
  assert.equal(queue.first, null);
});

test('a job that returns to the queue stays charged for its run', () => {
  const queue = queueWith();
  pushMany(queue, 'a', 5);
  pushMany(queue, 'b', 5);
  const stopped = queue.shift()!;
  queue.recordJob(stopped, 100);
  queue.putBack([stopped]);
  const paid = queue.shift()!;
  assert.equal(paid.programKey?.startsWith('b'), true);
  queue.recordJob(paid, 99.99);
  assert.equal(queue.shift()!.programKey?.startsWith('b'), true, 'b has had less time than a');
});

test('a client whose job runs keeps one queue, regardless of the number of new clients', () => {
  const queue = queueWith();
  const visit = () => {
    for (let i = 0; i <= 10_000; i++) {
      queue.push(job(`visitor ${i}`));
      queue.recordJob(queue.shift()!, 1);
    }
  };
  queue.push(job('a', 'first'));
  const first = queue.shift()!;
  visit();
  queue.push(job('a', 'second'));
  queue.putBack([first]);
  assert.deepEqual([queue.clients, queue.lengthOf('a')], [1, 2]);
  assert.deepEqual(run(queue, 2), ['first', 'second']);
  queue.push(job('a', 'third'));
  const third = queue.shift()!;
  visit();
  queue.recordJob(third, 500);
  pushMany(queue, 'a', 1);
  queue.push(job('b'));
  assert.deepEqual(run(queue, 2), ['b', 'a0'], 'what the third took is not forgotten');
});

test('a suspended client waits, accumulates no credit, and continues afterwards', () => {
  const suspended = new Set(['bad']);
  const queue = queueWith({ mustWait: (client) => suspended.has(client) });
  pushMany(queue, 'bad', 50);
  assert.deepEqual([queue.first, queue.length, queue.waitsBeside('good')], [null, 50, false]);
  pushMany(queue, 'good', 100);
  assert.equal(queue.waitsBeside('bad'), true);
  assert.ok(run(queue, 20).every((program) => program.startsWith('good')));
  suspended.clear();
  const next = run(queue, 10).filter((program) => program.startsWith('bad')).length;
  assert.ok(next >= 4 && next <= 6, `${next} of 10 were of the client that had been suspended`);
});

test('a cancelled job is removed from any position in the queue', () => {
  const queue = queueWith();
  const jobs = ['a1', 'a2', 'a3'].map((source) => job('a', source));
  for (const each of jobs) queue.push(each);
  queue.remove(jobs[1]!);
  assert.deepEqual(
    [...queue].map(({ programKey }) => programKey),
    ['a1', 'a3'],
  );
  queue.remove(jobs[2]!);
  queue.remove(jobs[0]!);
  assert.deepEqual([queue.first, queue.length, queue.clients], [null, 0, 0]);
});

test('clients share a queue while its waits are short, and get separate queues after a longer wait', () => {
  const queue = queueWith({ lane: 'fast', sharesLine: true });
  for (const [client, submitted] of [
    ['a', 0],
    ['b', 5],
    ['a', 10],
  ] as const)
    queue.push(job(client, `${client} at ${submitted}`, submitted));
  assert.equal(queue.clients, 1);
  for (const [client, submitted] of [
    ['a', 11],
    ['a', 12],
    ['a', 13],
    ['b', 14],
  ] as const)
    queue.push(job(client, `${client} at ${submitted}`, submitted));
  assert.deepEqual([queue.clients, queue.lengthOf('a'), queue.lengthOf('b')], [3, 3, 1]);
  const order = run(queue, 7);
  assert.ok(order.indexOf('b at 14') < order.indexOf('a at 12'), order.join());
});

test('the shared queue holds at most half of the places', () => {
  const queue = queueWith({ lane: 'fast', sharesLine: true, depth: 10 });
  pushMany(queue, 'a', 8);
  assert.deepEqual([queue.length, queue.lengthOf('a')], [8, 3]);
});

test("a lookup for the shared queue alone does not need the client's address", () => {
  const queue = queueWith({ lane: 'fast', sharesLine: true });
  const caller = Object.defineProperty(fakeCaller(), 'remoteAddress', {
    get: () => assert.fail('The address takes time.'),
  });
  queue.push(new EvaluationSubmission({ evaluation: evaluation('x'), resolve: () => {}, caller }, 0));
  assert.equal(queue.shift()?.programKey, 'x');
});

test('accounts of clients without waiting jobs are forgotten when they are many', () => {
  const queue = queueWith();
  queue.push(job('debtor', 'first'));
  run(queue, 1, () => 60_000);
  pushMany(queue, 'waiting', 100);
  for (let i = 0; i < 10_000; i++) {
    const item = job(`client ${i}`);
    queue.push(item);
    queue.remove(item);
  }
  queue.push(job('debtor', 'second'));
  assert.ok(run(queue, 3).includes('second'));
  assert.deepEqual([queue.length, queue.clients, queue.lengthOf('waiting')], [98, 1, 98]);
});
