import { PathpoolError } from '../../../../src/library/client/entry.ts';
import { pause } from '../../app/pause.ts';
import { requestServer } from '../../app/request.ts';
import { MetricsHistory } from './metrics-history.ts';
import { Metrics } from './metrics-text.ts';

/** The body of `GET /health` (http-api T-10). */
export interface Health {
  readonly status: 'ready' | 'not-ready';
  readonly reasons: readonly { readonly reason: string; readonly detail: string }[];
  readonly damaged: { readonly count: number; readonly digests: readonly string[] };
  readonly version: string;
  /** The version of Node.js. */
  readonly node: string;
  readonly front: string;
  /** Seconds. */
  readonly uptime: number;
}

/** What is known about the server. */
export interface ServerView {
  readonly health: Health | undefined;
  /** Seconds since its start, if known. */
  readonly uptime: number | undefined;
  /** `off`: the server keeps no metrics. */
  readonly metrics: 'unknown' | 'on' | 'off';
  /** Why the last request failed. */
  readonly error: unknown;
  /** Whether it is useless to ask again before the user has done something. */
  readonly isDenied: boolean;
}

export const nothingKnown: ServerView = {
  health: undefined,
  uptime: undefined,
  metrics: 'unknown',
  error: undefined,
  isDenied: false,
};

/** The history is kept while the user is on other pages. */
export const history = new MetricsHistory();

/**
 * Asks the server how it is, once in an interval: for the metrics, and for its health only when
 * the metrics say that this has changed, or are off.
 */
export class ServerWatch {
  /** Called after each request. */
  readonly #onChange: (view: ServerView) => void;
  #view: ServerView;
  /** What the metrics said about the health when that was last asked for. */
  #knownHealth: string | undefined;

  constructor(view: ServerView, onChange: (view: ServerView) => void) {
    this.#view = view;
    this.#onChange = onChange;
  }

  /** `interval`: seconds. */
  async run(interval: number, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await this.#ask(interval, signal);
        this.#update({ error: undefined, isDenied: false });
      } catch (error) {
        if (signal.aborted) return;
        const isDenied = error instanceof PathpoolError && (error.status === 401 || error.status === 403);
        this.#knownHealth = undefined;
        this.#update({ error, isDenied });
        if (isDenied) return;
      }
      await pause(interval * 1000, signal);
    }
  }

  async #ask(interval: number, signal: AbortSignal): Promise<void> {
    if (this.#view.metrics === 'off') return this.#askForHealth(signal);
    const metrics = await fetchMetrics(signal);
    if (!metrics) {
      this.#update({ metrics: 'off' });
      return this.#askForHealth(signal);
    }
    history.add({ time: Date.now() / 1000, metrics }, interval);
    this.#update({ metrics: 'on', uptime: metrics.sum('pathpool_uptime_seconds') });
    const said = healthIn(metrics);
    if (said === this.#knownHealth) return undefined;
    await this.#askForHealth(signal);
    this.#knownHealth = said;
  }

  async #askForHealth(signal: AbortSignal): Promise<void> {
    const response = await requestServer('health', { signal });
    const health = (await response.json()) as Health;
    this.#update({ health, uptime: health.uptime });
  }

  #update(news: Partial<ServerView>): void {
    this.#view = { ...this.#view, ...news };
    this.#onChange(this.#view);
  }
}

/** Returns undefined if the server keeps no metrics. */
async function fetchMetrics(signal: AbortSignal): Promise<Metrics | undefined> {
  try {
    const response = await requestServer('metrics', { signal, headers: { Accept: 'text/plain' } });
    return new Metrics(await response.text());
  } catch (error) {
    if (error instanceof PathpoolError && error.status === 404) return undefined;
    throw error;
  }
}

function healthIn(metrics: Metrics): string {
  const reasons = metrics.activeLabels('pathpool_hindrance', 'reason');
  return `${reasons} ${metrics.sum('pathpool_content_files_damaged')}`;
}
