import { DurationCounts } from '../../base/duration-counts.ts';
import type { ErrorCode } from '../../errors.ts';
import { knownMethods } from '../methods.ts';

/** A request as the meter sees it. */
export interface MeteredRequest {
  readonly method: string;
  /** The path of the route that it matched, with placeholders; see `HttpRequest.route`. */
  readonly route: string | undefined;
  /** Of the response; null if the client disconnected before there was one. */
  readonly status: number | null;
  /** The error code, if the response is a problem. */
  readonly problem: ErrorCode | undefined;
  /** When it began, by `performance.now`. */
  begun: number;
}

/** The requests to one route with one method. */
export interface RouteCounts {
  readonly route: string;
  readonly method: string;
  readonly durations: DurationCounts;
  /** The number of requests by status; 0 stands for those without a response. */
  readonly statuses: ReadonlyMap<number, number>;
}

interface Series extends RouteCounts {
  readonly statuses: Map<number, number>;
}

/** The name of requests that were rejected before a route was looked for. */
const REJECTED = 'rejected';

/**
 * Counts requests by route, method and status. What clients choose freely is not a name here: a
 * route is one of the table, and unknown methods are `other`. A request allocates nothing, except
 * the first one of its kind.
 */
export class RequestMeter {
  readonly problems = new Map<ErrorCode, number>();
  running = 0;
  /** By route, then by method. */
  readonly #routes = new Map<string, Map<string, Series>>();

  begin(request: MeteredRequest): void {
    request.begun = performance.now();
    this.running++;
  }

  end(request: MeteredRequest): void {
    const milliseconds = performance.now() - request.begun;
    this.running--;
    const { route = REJECTED, method, problem } = request;
    const { durations, statuses } = this.#routes.get(route)?.get(method) ?? this.#newSeries(route, method);
    durations.record(milliseconds);
    increment(statuses, request.status ?? 0);
    if (problem !== undefined) increment(this.problems, problem);
  }

  *[Symbol.iterator](): Generator<RouteCounts> {
    for (const series of this.#routes.values()) yield* series.values();
  }

  #newSeries(route: string, given: string): Series {
    const method = knownMethods.has(given) ? given : 'other';
    let series = this.#routes.get(route);
    if (!series) {
      series = new Map();
      this.#routes.set(route, series);
    }
    const known = series.get(method);
    if (known) return known;
    const added = { route, method, durations: new DurationCounts(), statuses: new Map<number, number>() };
    series.set(method, added);
    return added;
  }
}

function increment<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
