import type { Target } from './request.ts';

/** How a target is asked. */
export type Load = ClosedLoad | OpenLoad;

/** Each connection asks again as soon as it has its answer: the most that a server gives. */
export interface ClosedLoad {
  readonly kind: 'closed';
  readonly connections: number;
  readonly seconds: number;
}

/** At a constant rate, whatever the answers do: honest latency. */
export interface OpenLoad {
  readonly kind: 'open';
  readonly perSecond: number;
  readonly seconds: number;
  /** At most. */
  readonly connections: number;
}

export interface LoadResult {
  /** From the first request to the last answer. */
  readonly seconds: number;
  readonly requestsPerSecond: number;
  readonly bytesPerSecond: number;
  /** Milliseconds; of an open load, from the moment when the request was due. */
  readonly latency: Quantiles;
  /** Wrong answers, and requests without one. */
  readonly failures: number;
  /** What was wrong with the first of them. */
  readonly fault: string | undefined;
  /**
   * Requests of an open load that were not sent or got no response, because the server was too
   * slow.
   */
  readonly abandoned: number;
  /** Milliseconds that the generator itself sent late, at p99; 0 of a closed load. */
  readonly lateness: number;
  /** Share of a core that the generator used. Near 1, what was measured is the generator. */
  readonly generatorLoad: number;
}

export interface Quantiles {
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
  readonly p999: number;
  readonly max: number;
}

/** To the generator's process: a target that later loads name, and one load. */
export type Command =
  | { readonly kind: 'target'; readonly name: number; readonly target: Target }
  | { readonly kind: 'run'; readonly name: number; readonly load: Load };
/** Its answer to `run`. */
export type Report = { readonly result: LoadResult } | { readonly error: string };
