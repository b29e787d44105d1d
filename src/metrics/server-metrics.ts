import type { OpenMetricsContentType, Registry } from 'prom-client';
import { LoopLag } from './loop-lag.ts';
import type { MetricSources } from './readings.ts';

/** The formats in which metrics are written. */
export type MetricsFormat = 'prometheus' | 'openmetrics';

type Write = () => Promise<string>;

/** The metrics of a server (docs/monitoring.md). */
export class ServerMetrics {
  readonly #sources: MetricSources;
  readonly #lag = new LoopLag();
  /** By format: prom-client gives the metrics of a registry the names of one format. */
  readonly #writers = new Map<MetricsFormat, Promise<Write>>();

  constructor(sources: MetricSources) {
    this.#sources = sources;
  }

  async write(format: MetricsFormat): Promise<string> {
    let writer = this.#writers.get(format);
    if (!writer) {
      writer = this.#newWriter(format);
      this.#writers.set(format, writer);
    }
    return (await writer)();
  }

  /** Stops measuring. */
  close(): void {
    this.#lag.close();
  }

  /** Loads the library only when metrics are asked for. */
  async #newWriter(format: MetricsFormat): Promise<Write> {
    const { Registry } = await import('prom-client');
    const { defineAll } = await import('./definitions.ts');
    const registry = format === 'openmetrics' ? openMetrics(new Registry()) : new Registry();
    defineAll(registry, this.#sources, this.#lag);
    return () => registry.metrics();
  }
}

function openMetrics(registry: Registry<OpenMetricsContentType>): Registry<OpenMetricsContentType> {
  registry.setContentType('application/openmetrics-text; version=1.0.0; charset=utf-8');
  return registry;
}
