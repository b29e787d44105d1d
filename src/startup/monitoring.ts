import type { Config } from '../config.ts';
import type { FrontName } from '../http/fronts/known-fronts.ts';
import { RequestMeter } from '../http/middleware/request-meter.ts';
import { healthRoutes, probeRoutes } from '../http/routes/health.ts';
import { metricsRoutes } from '../http/routes/metrics.ts';
import { type Route, Router } from '../http/server/router.ts';
import { ServerEvents } from '../metrics/events.ts';
import type { LoadedSources, MetricSources } from '../metrics/readings.ts';
import { ServerMetrics } from '../metrics/server-metrics.ts';
import { ServerHealth } from '../services/health/server-health.ts';
import { readVersion } from '../version.ts';

/** What operators see of the server, from before its data are loaded: health and metrics. */
export class Monitoring {
  readonly health = new ServerHealth();
  readonly events = new ServerEvents();
  /** Undefined if metrics are off. */
  readonly meter: RequestMeter | undefined;
  /** Routes that exist while the data are loading. */
  readonly routes: readonly Route[];
  /** Serves these routes alone. */
  readonly router: Router;
  /** What the metrics and `/health` say of the process. */
  readonly #info: { readonly version: string; readonly node: string; front: FrontName };
  readonly #sources: MetricSources | undefined;
  readonly #metrics: ServerMetrics | undefined;

  constructor({ metrics, dataMax, front = 'uws' }: Pick<Config, 'metrics' | 'dataMax' | 'front'>) {
    const { health, events } = this;
    const info = { version: readVersion(), node: process.version, front };
    this.#info = info;
    if (metrics === 'on') {
      this.meter = new RequestMeter();
      this.#sources = { meter: this.meter, health, events, info, dataMax, loaded: undefined };
      this.#metrics = new ServerMetrics(this.#sources);
    }
    const shown = this.#metrics ? metricsRoutes(this.#metrics) : [];
    this.routes = [...probeRoutes(health), ...healthRoutes(health, info), ...shown];
    this.router = new Router(this.routes);
  }

  /** Call it when the server listens, with the front that was chosen. */
  noteFront(front: FrontName): void {
    this.#info.front = front;
  }

  /** Call it when the parts exist from which the metrics are read. */
  watch(loaded: LoadedSources): void {
    if (this.#sources) this.#sources.loaded = loaded;
  }

  close(): void {
    this.#metrics?.close();
  }
}
