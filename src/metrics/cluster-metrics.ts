import type { Families } from './families.ts';
import type { ClusterReadings, MetricSources } from './readings.ts';

/** Metrics of a process in a cluster. On a single server they have no values. */
export function defineClusterMetrics(families: Families, sources: MetricSources): void {
  const gauge = (name: string, help: string, read: (cluster: ClusterReadings) => number) =>
    families.gauge({ name: `cluster_${name}`, help }, () => {
      const { cluster } = sources.loaded ?? {};
      return cluster ? [[{}, read(cluster)]] : [];
    });
  gauge('lease_held', '1 if this process holds the lease and so executes writes, otherwise 0.', (cluster) =>
    Number(cluster.holdsLease),
  );
  gauge(
    'members',
    'Processes of the cluster that this one knows, itself included.',
    (cluster) => cluster.members.length,
  );
  gauge('log_connected', '1 if the log servers answer, otherwise 0.', (cluster) =>
    Number(cluster.isConnected),
  );
  gauge('lag_commits', 'Commits that another process has, and this one not yet.', (cluster) => cluster.lag);
  families.counter(
    {
      name: 'cluster_forwarded_requests_total',
      help: 'Requests that another process had to execute, by what became of them.',
      labels: ['outcome'],
    },
    () => {
      const { cluster } = sources.loaded ?? {};
      const counts = Object.entries(cluster?.forwarded ?? {});
      return counts.map(([outcome, count]) => [{ outcome }, count] as const);
    },
  );
}
