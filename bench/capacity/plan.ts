import { Generator } from '../load/generator.ts';
import { describeMachine } from '../report/machine.ts';
import { Client } from './discovery.ts';
import { listener } from './listener.ts';
import type { CapacityOptions, Subject } from './options.ts';
import { type Holding, OwnServers } from './own-server.ts';
import { prepare, type Ready } from './prepare.ts';
import type { CapacityReport } from './report.ts';
import { pooledKinds, recommendedThreads, type Scaling, scalingOf } from './scaling.ts';
import type { SearchPlan } from './search.ts';
import { closedLoop, type KindReport, type SweepOptions, sweep } from './sweep.ts';

const SHARES = [0.1, 0.3, 0.5, 0.7, 0.8, 0.9, 1];
const QUICK_SHARES = [0.3, 0.6, 0.9];

/** A measuring of capacity; `end` leaves nothing running, whenever it is called. */
export class CapacityPlan {
  readonly #options: CapacityOptions;
  readonly #progress: (words: string) => void;
  #generator: Generator | undefined;
  #servers: OwnServers | undefined;

  constructor(options: CapacityOptions, progress: (words: string) => void) {
    this.#options = options;
    this.#progress = progress;
  }

  async run(): Promise<CapacityReport> {
    this.#generator = Generator.start();
    const { subject } = this.#options;
    return subject.kind === 'server' ? this.#measureServer(subject.url) : this.#measureOwn(subject);
  }

  async end(): Promise<void> {
    await Promise.all([this.#generator?.stop(), this.#servers?.end()]);
  }

  async #measureServer(url: string): Promise<CapacityReport> {
    const { authorization, kinds } = this.#options;
    const client = new Client(url, authorization);
    const writable = kinds.includes('ldp-write');
    const { ready, leftOut, starts } = await prepare(client, this.#options, writable);
    const { hostname, port, protocol } = new URL(url);
    const local = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
    const pid = local ? listener(Number(port || (protocol === 'https:' ? 443 : 80))) : undefined;
    const reports = await this.#sweepAll(ready, pid, undefined);
    const rest = { threads: undefined, scalings: [], recommended: undefined, holding: undefined };
    return { ...this.#about(url, starts), kinds: reports, leftOut, ...rest };
  }

  async #measureOwn(subject: Exclude<Subject, { kind: 'server' }>): Promise<CapacityReport> {
    const { threads: counts } = this.#options;
    this.#servers = await OwnServers.create();
    this.#progress('loading the data');
    const holding: Holding = await this.#servers.load(subject, counts.at(-1)!);
    const client = new Client(this.#servers.url, undefined);
    const { ready, leftOut, starts } = await prepare(client, this.#options, true);
    const scalings = counts.length > 1 ? await this.#scale(this.#servers, ready) : [];
    const recommended = recommendedThreads(scalings);
    const threads = recommended ?? counts.at(-1)!;
    await this.#servers.restart(threads);
    const kinds = await this.#sweepAll(ready, this.#servers.pid, threads);
    const name = subject.kind === 'files' ? subject.files.join(', ') : `${subject.triples} triples of people`;
    return { ...this.#about(name, starts), threads, kinds, leftOut, scalings, recommended, holding };
  }

  #about(subject: string, starts: number) {
    const { p99: bound, seconds } = this.#options;
    return { date: new Date().toISOString(), machine: describeMachine(), subject, bound, seconds, starts };
  }

  async #scale(servers: OwnServers, ready: readonly Ready[]): Promise<Scaling[]> {
    const pooled = ready.filter(({ kind }) => pooledKinds.has(kind));
    const throughputs = new Map(pooled.map(({ kind }) => [kind, [] as Scaling['points'][number][]]));
    for (const threads of pooled.length > 0 ? this.#options.threads : []) {
      await servers.restart(threads);
      for (const each of pooled) {
        const throughput = await this.#throughput(each);
        throughputs.get(each.kind)!.push({ threads, throughput });
        this.#progress(
          `${each.kind} with ${threads} thread${threads === 1 ? '' : 's'}: ${throughput.toFixed(0)}/s`,
        );
      }
    }
    return [...throughputs].map(([kind, points]) => scalingOf(kind, points));
  }

  /** Warmed up. */
  async #throughput(ready: Ready): Promise<number> {
    const { seconds, connections } = this.#options;
    const common = { generator: this.#generator!, connections };
    await closedLoop(ready, { ...common, seconds: seconds / 2 });
    return (await closedLoop(ready, { ...common, seconds })).requestsPerSecond;
  }

  async #sweepAll(
    ready: readonly Ready[],
    pid: number | undefined,
    threads: number | undefined,
  ): Promise<KindReport[]> {
    const { seconds, connections, quick, p99: bound } = this.#options;
    const plan: SearchPlan = {
      shares: quick ? QUICK_SHARES : SHARES,
      refinements: quick ? 1 : 3,
      retries: quick ? 0 : 1,
      bound,
    };
    const progress = this.#progress;
    const options: SweepOptions = {
      generator: this.#generator!,
      plan,
      seconds,
      connections,
      pid,
      threads,
      progress,
    };
    const reports: KindReport[] = [];
    for (const each of ready) {
      await closedLoop(each, { ...options, seconds: seconds / 2 });
      reports.push(await sweep(each, options));
    }
    return reports;
  }
}
