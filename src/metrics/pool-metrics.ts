import type { PoolCounts, QueueCounts } from '../pool/scheduling/queue-statistics.ts';
import type { PoolName } from './events.ts';
import type { Description, Distribution, Families } from './families.ts';
import type { MetricSources } from './readings.ts';

export function definePoolMetrics(families: Families, sources: MetricSources): void {
  defineQueueMetrics(families, sources);
  defineThreadMetrics(families, sources);
  const evaluated = () => sources.loaded?.pool.evaluated ?? { evaluations: 0, steps: 0 };
  families.counter(
    {
      name: 'ldpath_evaluations_total',
      help: 'LDPath results that threads computed, one for each start resource.',
    },
    () => [[{}, evaluated().evaluations]],
  );
  families.counter(
    { name: 'ldpath_steps_total', help: 'Steps of these evaluations: look-ups, tests and calls.' },
    () => [[{}, evaluated().steps]],
  );
}

function poolsOf({ loaded }: MetricSources): (readonly [PoolName, PoolCounts])[] {
  if (!loaded) return [];
  return [
    ['worker', loaded.pool.counts()],
    ['sparql', loaded.sparqlPool.counts()],
  ];
}

function defineQueueMetrics(families: Families, sources: MetricSources): void {
  const ofQueues = <T>(read: (queue: QueueCounts) => T) =>
    function* () {
      for (const [, { queues }] of poolsOf(sources)) {
        for (const [queue, counts] of Object.entries(queues)) yield [{ queue }, read(counts)] as const;
      }
    };
  const named = (name: string, help: string): Description => ({ name, help, labels: ['queue'] });
  families.gauge(
    named('queue_jobs_waiting', 'Jobs that wait for a thread.'),
    ofQueues(({ length }) => length),
  );
  families.counter(
    named('queue_jobs_finished_total', 'Jobs that ended in a thread.'),
    ofQueues(({ finished }) => finished),
  );
  families.counter(
    named('queue_jobs_rejected_total', 'Jobs that were rejected because the queue was full.'),
    ofQueues(({ rejected }) => rejected),
  );
  families.histogram(
    named('queue_wait_seconds', 'Time that jobs waited for a thread.'),
    ofQueues(({ waits }): Distribution => waits),
  );
}

function defineThreadMetrics(families: Families, sources: MetricSources): void {
  const { events } = sources;
  families.gauge(
    { name: 'threads', help: 'Threads by what they do.', labels: ['pool', 'state'] },
    function* () {
      for (const [pool, { threads }] of poolsOf(sources)) {
        for (const [state, count] of Object.entries(threads)) yield [{ pool, state }, count];
      }
    },
  );
  families.counter(
    {
      name: 'thread_kills_total',
      help: 'Threads that were ended, or died, while they worked; each is replaced.',
      labels: ['pool', 'reason'],
    },
    function* () {
      for (const [pool, kills] of Object.entries(events.kills)) {
        for (const [reason, count] of Object.entries(kills)) yield [{ pool, reason }, count];
      }
    },
  );
  families.counter(
    {
      name: 'thread_failures_total',
      help: 'Internal errors of threads outside of any job.',
      labels: ['pool'],
    },
    function* () {
      for (const [pool, count] of Object.entries(events.failures)) yield [{ pool }, count];
    },
  );
  families.gauge(
    {
      name: 'quarantined',
      help: 'Programs and queries that are rejected because they ended threads.',
      labels: ['pool'],
    },
    function* () {
      for (const [pool, { quarantined }] of poolsOf(sources)) yield [{ pool }, quarantined];
    },
  );
}
