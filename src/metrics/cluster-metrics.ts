import type { Families } from './families.ts';
import type { ClusterReadings, LoadedSources, MetricSources } from './readings.ts';

type Journal = LoadedSources['store']['journal'];

/** What a server without a cluster has: it executes all writes itself. */
const alone: ClusterReadings = {
  holdsLease: true,
  members: [undefined],
  isConnected: true,
  lag: 0,
  forwarded: { passed: 0, redirected: 0, unavailable: 0, unknown: 0 },
};

/** What a server is while it loads its data: it executes nothing yet. */
const loading: ClusterReadings = { ...alone, holdsLease: false };

/** Metrics of a process in a cluster. */
export function defineClusterMetrics(families: Families, sources: MetricSources): void {
  const cluster = () => (sources.loaded ? (sources.loaded.cluster ?? alone) : loading);
  const gauge = (name: string, help: string, read: () => number) =>
    families.gauge({ name: `cluster_${name}`, help }, () => [[{}, read()]]);
  gauge('lease_held', '1 if this process executes writes, in a cluster by the lease, otherwise 0.', () =>
    Number(cluster().holdsLease),
  );
  gauge(
    'members',
    'Processes of the cluster that this one knows, itself included.',
    () => cluster().members.length,
  );
  gauge('log_connected', '1 if the log servers answer, otherwise 0.', () => Number(cluster().isConnected));
  gauge('lag_commits', 'Commits that another process has, and this one not yet.', () => cluster().lag);
  const counter = (name: string, help: string, read: (journal: Journal) => number) =>
    families.counter({ name: `cluster_${name}_total`, help }, () => {
      const { loaded } = sources;
      return [[{}, loaded ? read(loaded.store.journal) : 0]];
    });
  counter(
    'conflicts',
    'Groups of transactions before which another process has committed.',
    ({ conflicts }) => conflicts,
  );
  counter('replanned_transactions', 'Transactions planned again after that.', ({ replans }) => replans);
  families.counter(
    {
      name: 'cluster_forwarded_requests_total',
      help: 'Requests that another process had to execute, by what became of them.',
      labels: ['outcome'],
    },
    () => Object.entries(cluster().forwarded).map(([outcome, count]) => [{ outcome }, count] as const),
  );
}
