import { defineClusterMetrics } from './cluster-metrics.ts';
import { type AnyRegistry, Families } from './families.ts';
import type { LoopLag } from './loop-lag.ts';
import { definePoolMetrics } from './pool-metrics.ts';
import { defineProcessMetrics } from './process-metrics.ts';
import type { MetricSources } from './readings.ts';
import { defineRequestMetrics } from './request-metrics.ts';
import { defineStoreMetrics } from './store-metrics.ts';

/** Defines all metrics. docs/monitoring.md lists them. */
export function defineAll(registry: AnyRegistry, sources: MetricSources, lag: LoopLag): void {
  const families = new Families(registry);
  defineRequestMetrics(families, sources);
  definePoolMetrics(families, sources);
  defineStoreMetrics(families, sources);
  defineProcessMetrics(families, sources, lag);
  defineClusterMetrics(families, sources);
}
