import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { PathpoolProcess } from '../../bench/cluster/pathpool-process.ts';
import { statusOf } from '../../bench/cluster/server-status.ts';
import { freePort } from '../../bench/measure/free-port.ts';
import { checkResponsesOf } from './description-check.ts';
import { type NatsServers, startNatsServers } from './nats-servers.ts';
import type { Scope } from './scope.ts';
import { BASE, pathpoolCommand } from './server-process.ts';
import { temporaryDirectory } from './temporary-directory.ts';

export interface ClusterSize {
  readonly logServers: 1 | 3;
  readonly processes: number;
}

const POLL_MS = 25;
/** A lease expires after 5 seconds; the machine may be busy. */
const PATIENCE_MS = 60_000;
/** The name of the log, and so of its stream. */
export const LOG = 'test';

/** Log servers, and the Pathpool processes that share their log. All of them end with the scope. */
export class TestCluster {
  readonly logServers: NatsServers;
  readonly processes: PathpoolProcess[] = [];
  readonly #scope: Scope;
  readonly #root: string;

  constructor(scope: Scope, logServers: NatsServers, root: string) {
    this.#scope = scope;
    this.logServers = logServers;
    this.#root = root;
  }

  /** Adds a process, without starting it. `log`: the name of its log. */
  async add(args: readonly string[] = [], log = LOG): Promise<PathpoolProcess> {
    const name = `p${this.processes.length + 1}`;
    const added = new PathpoolProcess({
      command: pathpoolCommand,
      name,
      port: await freePort(),
      directory: join(this.#root, name),
      journal: this.logServers.journal(log),
      replicas: this.logServers.nodes.length,
      base: BASE,
      args: ['--threads', '1', '--sparql-threads', '1', ...args],
    });
    checkResponsesOf(added.url, BASE);
    this.#scope.after(() => added.kill());
    this.processes.push(added);
    return added;
  }

  /** Adds a process, and resolves when it is ready. */
  async join(args: readonly string[] = []): Promise<PathpoolProcess> {
    const added = await this.add(args);
    await added.start();
    await added.untilReady();
    return added;
  }

  async untilReady(): Promise<void> {
    await Promise.all(this.processes.map((process) => process.untilReady()));
  }

  /** Resumes and starts everything, also after a case that failed. */
  async heal(): Promise<void> {
    for (const each of [...this.logServers.nodes, ...this.processes]) {
      each.resume();
      if (!each.isRunning) await each.start();
    }
    await this.untilReady();
  }

  /** The process that holds the lease. */
  async writer(): Promise<PathpoolProcess> {
    const deadline = performance.now() + PATIENCE_MS;
    while (performance.now() < deadline) {
      const running = this.processes.filter(({ isRunning }) => isRunning);
      const statuses = await Promise.all(running.map(({ url }) => statusOf(url)));
      const found = running.find((_, index) => statuses[index]?.holdsLease);
      if (found) return found;
      await wait(POLL_MS);
    }
    throw new Error('No process holds the lease.');
  }

  /** A process that does not hold the lease. */
  async reader(): Promise<PathpoolProcess> {
    const writer = await this.writer();
    return this.processes.find((process) => process !== writer && process.isRunning)!;
  }

  /** What `--journal` says for its log. */
  get journal(): string {
    return this.logServers.journal(LOG);
  }
}

/** Starts a cluster, and resolves when all of it is ready. */
export async function startCluster(
  scope: Scope,
  { logServers, processes }: ClusterSize,
  args: readonly string[] = [],
): Promise<TestCluster> {
  const root = await temporaryDirectory(scope);
  const cluster = new TestCluster(scope, await startNatsServers(scope, logServers), root);
  for (let count = 0; count < processes; count++) await (await cluster.add(args)).start();
  await cluster.untilReady();
  return cluster;
}
