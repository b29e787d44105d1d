import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { entryFile, flagsOfFirstLine } from '../measure/entry-file.ts';
import { freePort } from '../measure/free-port.ts';
import { type NatsServers, startNatsServers } from './nats-servers.ts';
import { PathpoolProcess } from './pathpool-process.ts';
import { statusOf } from './server-status.ts';

const POLL_MS = 25;
/** A lease expires after 5 seconds; the machine may be busy. */
const PATIENCE_MS = 60_000;
/** The name of the log, and so of its stream. */
export const LOG = 'pathpool';

export interface LocalClusterParts {
  readonly logServers: NatsServers;
  /** For the directories of the processes. */
  readonly root: string;
  /** The command of Pathpool without arguments. */
  readonly command: readonly string[];
  readonly base: string;
}

/** Log servers, and the Pathpool processes that share their log, all on this machine. */
export class LocalCluster {
  readonly logServers: NatsServers;
  readonly processes: PathpoolProcess[] = [];
  readonly #parts: LocalClusterParts;

  constructor(parts: LocalClusterParts) {
    this.logServers = parts.logServers;
    this.#parts = parts;
  }

  /** What `--journal` says for its log. */
  get journal(): string {
    return this.logServers.journal(LOG);
  }

  /** Adds a process of one thread, without starting it. `log`: the name of its log. */
  async add(args: readonly string[] = [], log = LOG): Promise<PathpoolProcess> {
    const { command, root, base } = this.#parts;
    const name = `p${this.processes.length + 1}`;
    const added = new PathpoolProcess({
      command,
      name,
      port: await freePort(),
      directory: join(root, name),
      journal: this.logServers.journal(log),
      replicas: this.logServers.nodes.length,
      base,
      args: ['--threads', '1', '--sparql-threads', '1', ...args],
    });
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

  /** Resumes and starts everything that was killed or suspended. */
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

  async kill(): Promise<void> {
    await Promise.all(this.processes.map((process) => process.kill()));
    await this.logServers.kill();
  }
}

/** Starts three log servers and three processes without data, and resolves when all are ready. */
export async function startLocalCluster(
  root: string,
  base: string,
  args: readonly string[] = [],
): Promise<LocalCluster> {
  const logServers = await startNatsServers(join(root, 'nats'), 3);
  const file = entryFile('src/main');
  const command = [process.execPath, ...process.execArgv, ...flagsOfFirstLine(file), file];
  const cluster = new LocalCluster({ logServers, root, command, base });
  try {
    for (let count = 0; count < 3; count++) await (await cluster.add(args)).start();
    await cluster.untilReady();
    return cluster;
  } catch (error) {
    await cluster.kill();
    throw error;
  }
}
