import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Registry } from 'prom-client';
import { JournalMeter } from '../../src/journal/meter.ts';
import { defineClusterMetrics } from '../../src/metrics/cluster-metrics.ts';
import { Families } from '../../src/metrics/families.ts';
import type { ClusterReadings, LoadedSources, MetricSources } from '../../src/metrics/readings.ts';

const follower: ClusterReadings = {
  holdsLease: false,
  members: ['a', 'b', 'c'],
  isConnected: true,
  lag: 4,
  forwarded: { passed: 1, redirected: 2, unavailable: 3, unknown: 5 },
};

async function metricsOf(changes: Partial<LoadedSources> | undefined): Promise<string> {
  const registry = new Registry();
  const journal = new JournalMeter();
  journal.noteConflict(3);
  const loaded = changes && { store: { journal } as LoadedSources['store'], ...changes };
  defineClusterMetrics(new Families(registry), { loaded } as MetricSources);
  return registry.metrics();
}

describe('the metrics of a cluster', () => {
  it('say that no process holds the lease before it has loaded its data', async () => {
    assert.match(await metricsOf(undefined), /^pathpool_cluster_lease_held 0$/m);
  });

  it('say that a server without a cluster executes its writes', async () => {
    assert.match(await metricsOf({}), /^pathpool_cluster_lease_held 1$/m);
  });

  it('say what a process knows of its cluster', async () => {
    const text = await metricsOf({ cluster: follower });
    assert.match(text, /^pathpool_cluster_lease_held 0$/m);
    assert.match(text, /^pathpool_cluster_members 3$/m);
    assert.match(text, /^pathpool_cluster_lag_commits 4$/m);
    assert.match(text, /^pathpool_cluster_forwarded_requests_total\{outcome="unknown"\} 5$/m);
    assert.match(text, /^pathpool_cluster_conflicts_total 1$/m);
    assert.match(text, /^pathpool_cluster_replanned_transactions_total 3$/m);
  });
});
