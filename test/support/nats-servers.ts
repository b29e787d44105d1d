import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../bench/measure/free-port.ts';
import type { ClusterSettings } from '../../src/cluster/settings.ts';
import { projectFile } from './project.ts';
import type { Scope } from './scope.ts';

/** A cluster of three elects its leader in 4 to 9 seconds; the machine may be busy. */
const PATIENCE_MS = 60_000;
const POLL_MS = 25;

const binary = [projectFile('.cache/nats'), ...(process.env['PATH'] ?? '').split(delimiter)]
  .map((folder) => join(folder, 'nats-server'))
  .find((path) => existsSync(path));

/** Why tests that need log servers are skipped, or false: for the option `skip`. */
export const withoutNats: string | false =
  binary === undefined &&
  'No nats-server: GOBIN=$PWD/.cache/nats go install github.com/nats-io/nats-server/v2@v2.15.2';

interface NodeParts {
  readonly name: string;
  readonly port: number;
  readonly monitorPort: number;
  readonly directory: string;
  /** The part of the configuration that names the other nodes; empty for a single server. */
  readonly cluster: string;
}

/** One nats-server, which survives nothing by itself: it is started and ended by the test. */
export class NatsNode {
  readonly name: string;
  readonly port: number;
  /** What it keeps; `wipe` empties it. */
  readonly store: string;
  readonly #parts: NodeParts;
  #process: ChildProcess | undefined;

  constructor(parts: NodeParts) {
    this.#parts = parts;
    this.name = parts.name;
    this.port = parts.port;
    this.store = join(parts.directory, 'store');
  }

  get address(): string {
    return `127.0.0.1:${this.port}`;
  }

  /** Starts it, without waiting until it answers. */
  async start(): Promise<void> {
    const { directory, name, port, monitorPort, cluster } = this.#parts;
    await mkdir(directory, { recursive: true });
    const file = join(directory, 'nats.conf');
    const lines = [
      `server_name: ${name}`,
      `listen: "127.0.0.1:${port}"`,
      `http: "127.0.0.1:${monitorPort}"`,
      `jetstream { store_dir: ${JSON.stringify(this.store)}, sync_interval: always }`,
      cluster,
    ];
    await writeFile(file, lines.join('\n'));
    const log = join(directory, 'nats.log');
    const child = spawn(binary!, ['-c', file, '-l', log], { stdio: 'ignore' });
    child.on('error', () => {});
    this.#process = child;
  }

  /** Resolves when it answers, has a leader, and has everything that it keeps. */
  async untilHealthy(): Promise<void> {
    const end = Date.now() + PATIENCE_MS;
    while (!(await this.#isHealthy())) {
      if (Date.now() > end) throw new Error(`The log server ${this.name} has not become healthy`);
      await sleep(POLL_MS);
    }
  }

  async #isHealthy(): Promise<boolean> {
    const url = `http://127.0.0.1:${this.#parts.monitorPort}/healthz`;
    const response = await fetch(url, { signal: AbortSignal.timeout(2000) }).catch(() => undefined);
    await response?.arrayBuffer();
    return response?.status === 200;
  }

  /** SIGKILL, as in a crash. */
  kill(): Promise<void> {
    return this.#end('SIGKILL');
  }

  /** SIGTERM: it ends in order. */
  quit(): Promise<void> {
    return this.#end('SIGTERM');
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#process;
    this.#process = undefined;
    if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }

  /** SIGSTOP: connections stay, and nothing answers. */
  pause(): void {
    this.#process?.kill('SIGSTOP');
  }

  /** SIGCONT. */
  resume(): void {
    this.#process?.kill('SIGCONT');
  }

  async restart(): Promise<void> {
    await this.kill();
    await this.start();
  }

  /** Removes all that it keeps. It must have ended. */
  async wipe(): Promise<void> {
    await rm(this.store, { recursive: true, force: true });
  }
}

/** One log server, or a cluster of three. */
export class NatsServers {
  readonly nodes: readonly NatsNode[];

  constructor(nodes: readonly NatsNode[]) {
    this.nodes = nodes;
  }

  /** Settings for one process; a new name of a log unless one is given. */
  settings(changes: Partial<ClusterSettings> = {}): ClusterSettings {
    return {
      servers: this.nodes.map(({ address }) => address),
      name: `log-${randomBytes(4).toString('hex')}`,
      tls: false,
      replicas: this.nodes.length,
      process: 'test-1',
      ...changes,
    };
  }

  node(name: string): NatsNode {
    const found = this.nodes.find((node) => node.name === name);
    if (!found) throw new Error(`No log server has the name ${name}`);
    return found;
  }

  async untilHealthy(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.untilHealthy()));
  }
}

/**
 * Starts log servers with free ports and empty directories, which write to the disk before they
 * acknowledge. They end with the scope.
 */
export async function startNatsServers(scope: Scope, count: 1 | 3 = 1): Promise<NatsServers> {
  const root = await mkdtemp(join(tmpdir(), 'pathpool-nats-'));
  const nodes: NatsNode[] = [];
  scope.after(async () => {
    await Promise.all(nodes.map((node) => node.kill()));
    await rm(root, { recursive: true, force: true, maxRetries: 3 });
  });
  const names = Array.from({ length: count }, (_, index) => `n${index + 1}`);
  const ports = await Promise.all(names.flatMap(() => [freePort(), freePort(), freePort()]));
  const routes = names.map((_, index) => `"nats://127.0.0.1:${ports[index * 3 + 2]}"`).join(', ');
  names.forEach((name, index) => {
    const [port = 0, monitorPort = 0, routePort = 0] = ports.slice(index * 3);
    const cluster =
      count === 1 ? '' : `cluster { name: test, listen: "127.0.0.1:${routePort}", routes: [${routes}] }`;
    nodes.push(new NatsNode({ name, port, monitorPort, directory: join(root, name), cluster }));
  });
  const servers = new NatsServers(nodes);
  await Promise.all(nodes.map((node) => node.start()));
  await servers.untilHealthy();
  return servers;
}
