import { setTimeout as wait } from 'node:timers/promises';
import { Arrivals } from '../measure/arrivals.ts';
import { Histogram } from '../measure/histogram.ts';
import { OpenLoop } from '../measure/open-loop.ts';
import { Connection, type Outcome } from './connection.ts';
import type { ClosedLoad, Load, LoadResult, OpenLoad, Quantiles } from './load.ts';
import { fault, formatter, type Target } from './request.ts';

/** A connection, and what gives the bytes of each request to its server. */
interface Line {
  readonly connection: Connection;
  readonly formats: Formats;
}

type Formats = readonly ((number: number) => Buffer)[];

/** One answer in so many is looked into. */
const LOOKED_INTO = 16;
/**
 * Milliseconds that an open load may lag before it is aborted, because it would only lag further.
 */
const HOPELESS_MS = 2_000;
/** Milliseconds after its end that an answer may take. */
const GRACE_MS = 10_000;
const MICROSECONDS = 1000;
/** So that `{number}` is another one in every run of every process. */
let numbers = Date.now() * 1000;

export function runLoad(target: Target, load: Load): Promise<LoadResult> {
  return load.kind === 'open' ? runOpen(target, load) : runClosed(target, load);
}

async function runOpen(target: Target, load: OpenLoad): Promise<LoadResult> {
  const sender = new Sender(target);
  const began = performance.now();
  const processor = process.cpuUsage();
  const arrivals = new Arrivals(load.perSecond, load.seconds, began);
  const loop = new OpenLoop<Line>({
    arrivals,
    send: (line, done) => sender.send(line, (ok) => done(ok)),
    connect: () => sender.connect(load.connections),
    now: () => performance.now(),
  });
  const deadline = began + load.seconds * 1000 + GRACE_MS;
  for (; !loop.finished; await wait(1)) {
    loop.advance();
    if (loop.behind > HOPELESS_MS || performance.now() > deadline) break;
  }
  const abandoned = loop.abandon() + arrivals.left;
  sender.end();
  const lateness = loop.lateness.count > 0 ? loop.lateness.quantile(0.99) / MICROSECONDS : 0;
  const failures = loop.failures + arrivals.left;
  return { ...sender.result(began, processor, loop.latencies), failures, abandoned, lateness };
}

async function runClosed(target: Target, { connections, seconds }: ClosedLoad): Promise<LoadResult> {
  const sender = new Sender(target);
  const latencies = new Histogram();
  const began = performance.now();
  const processor = process.cpuUsage();
  const end = began + seconds * 1000;
  let failures = 0;
  const ask = (line: Line, finish: () => void) => {
    const sent = performance.now();
    sender.send(line, (ok) => {
      const now = performance.now();
      latencies.record((now - sent) * MICROSECONDS);
      if (!ok) failures++;
      // A server that is gone would be asked without end.
      if (now < end && failures < 1000) ask(line, finish);
      else finish();
    });
  };
  const all = Array.from({ length: connections }, () => sender.connect(connections)!);
  await Promise.all(all.map((line) => new Promise<void>((resolve) => ask(line, resolve))));
  const result = { ...sender.result(began, processor, latencies), failures, abandoned: 0, lateness: 0 };
  sender.end();
  return result;
}

/** Sends the requests of a target in turn, over connections to its servers, and checks answers. */
class Sender {
  readonly #target: Target;
  readonly #servers: readonly { readonly url: string; readonly formats: Formats }[];
  readonly #lines: Line[] = [];
  #at = 0;
  #answers = 0;
  #bytes = 0;
  #fault: string | undefined;

  constructor(target: Target) {
    this.#target = target;
    this.#servers = [target.url, ...(target.moreUrls ?? [])].map((url) => {
      const { host } = new URL(url);
      return { url, formats: target.requests.map((request) => formatter(request, host)) };
    });
  }

  /** Undefined when there are `most` already. */
  connect(most: number): Line | undefined {
    if (this.#lines.length >= most) return undefined;
    const { url, formats } = this.#servers[this.#lines.length % this.#servers.length]!;
    const line = { connection: new Connection(url), formats };
    this.#lines.push(line);
    return line;
  }

  send({ connection, formats }: Line, done: (ok: boolean) => void): void {
    const { expect } = this.#target.requests[this.#at]!;
    const bytes = formats[this.#at]!(numbers++);
    this.#at = (this.#at + 1) % formats.length;
    const keep = expect.contains !== undefined && this.#answers % LOOKED_INTO === 0;
    connection.request(bytes, keep, (outcome) => done(this.#check(outcome, expect)));
  }

  end(): void {
    for (const { connection } of this.#lines) connection.end();
  }

  /** Without what is counted elsewhere. */
  result(began: number, processor: NodeJS.CpuUsage, latencies: Histogram) {
    const seconds = (performance.now() - began) / 1000;
    const { user, system } = process.cpuUsage(processor);
    return {
      seconds,
      requestsPerSecond: this.#answers / seconds,
      bytesPerSecond: this.#bytes / seconds,
      latency: quantiles(latencies),
      fault: this.#fault,
      generatorLoad: (user + system) / 1e6 / seconds,
    };
  }

  #check(outcome: Outcome, expect: Target['requests'][number]['expect']): boolean {
    const wrong = outcome instanceof Error ? outcome.message : fault(expect, outcome);
    if (!(outcome instanceof Error)) {
      this.#answers++;
      this.#bytes += outcome.bytes;
    }
    this.#fault ??= wrong;
    return wrong === undefined;
  }
}

function quantiles(latencies: Histogram): Quantiles {
  const at = (share: number) => latencies.quantile(share) / MICROSECONDS;
  return { p50: at(0.5), p90: at(0.9), p99: at(0.99), p999: at(0.999), max: latencies.max / MICROSECONDS };
}
