import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { ClusterSettings } from '../../src/cluster/settings.ts';
import { freePort } from '../measure/free-port.ts';
import { ControlledProcess } from './controlled-process.ts';

/** A cluster of three elects its leader in 4 to 9 seconds; the machine may be busy. */
const PATIENCE_MS = 60_000;
const ANSWER_MS = 2000;
const POLL_MS = 25;

/** npm runs the programs of this project in its folder. */
const binary = ['.cache/nats', ...(process.env['PATH'] ?? '').split(delimiter)]
  .map((folder) => join(folder, 'nats-server'))
  .find((path) => existsSync(path));

/** What is missing on this machine for log servers, and how to get it; false if nothing is. */
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
  /** Further lines of the configuration. */
  readonly more: readonly string[];
}

/** What `/jsz` says about the leaders of streams. */
interface StreamReport {
  readonly account_details?: readonly {
    readonly stream_detail?: readonly {
      readonly name: string;
      readonly cluster?: { readonly leader?: string };
    }[];
  }[];
}

/** One nats-server. It keeps its ports and its directory over restarts. */
export class NatsNode {
  readonly name: string;
  /** `host:port` for clients. */
  readonly address: string;
  readonly port: number;
  /** The directory of what it keeps. */
  readonly store: string;
  /** The password that it requires of the user `test` from its next start on; none by default. */
  password: string | undefined;
  readonly #parts: NodeParts;
  readonly #process: ControlledProcess;

  constructor(parts: NodeParts) {
    this.#parts = parts;
    this.name = parts.name;
    this.port = parts.port;
    this.address = `127.0.0.1:${parts.port}`;
    this.store = join(parts.directory, 'store');
    const log = join(parts.directory, 'nats.log');
    this.#process = new ControlledProcess([binary ?? 'nats-server', '-c', this.#configuration, '-l', log]);
  }

  get #configuration(): string {
    return join(this.#parts.directory, 'nats.conf');
  }

  get isRunning(): boolean {
    return this.#process.isRunning;
  }

  /** Starts it, without waiting until it answers. */
  async start(): Promise<void> {
    const { directory, name, port, monitorPort, cluster, more } = this.#parts;
    await mkdir(directory, { recursive: true });
    const lines = [
      `server_name: ${name}`,
      `listen: "127.0.0.1:${port}"`,
      `http: "127.0.0.1:${monitorPort}"`,
      `jetstream { store_dir: ${JSON.stringify(this.store)}, sync_interval: always }`,
      cluster,
      ...more,
    ];
    if (this.password !== undefined) {
      lines.push(`authorization { user: test, password: ${JSON.stringify(this.password)} }`);
    }
    await writeFile(this.#configuration, lines.join('\n'));
    this.#process.start();
  }

  /** Resolves when it answers, has a leader, and has everything that it keeps. */
  async untilHealthy(): Promise<void> {
    const deadline = performance.now() + PATIENCE_MS;
    while ((await this.#monitor('/healthz')) === undefined) {
      if (performance.now() > deadline) {
        throw new Error(`The log server ${this.name} has not become healthy: ${this.#process.errors}`);
      }
      await wait(POLL_MS);
    }
  }

  /** The name of the leader of a stream as this server sees it; undefined if it sees none. */
  async leaderOf(stream: string): Promise<string | undefined> {
    const report = (await this.#monitor('/jsz?accounts=true&streams=true')) as StreamReport | undefined;
    const streams = report?.account_details?.flatMap(({ stream_detail = [] }) => stream_detail) ?? [];
    const found = streams.find(({ name }) => name === stream);
    return found && (found.cluster ? found.cluster.leader || undefined : this.name);
  }

  async #monitor(path: string): Promise<unknown> {
    const url = `http://127.0.0.1:${this.#parts.monitorPort}${path}`;
    const signal = AbortSignal.timeout(ANSWER_MS);
    const response = await fetch(url, { signal }).catch(() => undefined);
    const body: unknown = await response?.json().catch(() => undefined);
    return response?.ok ? body : undefined;
  }

  /** SIGKILL, as in a crash. */
  async kill(): Promise<void> {
    await this.#process.end('SIGKILL');
  }

  /** SIGTERM: it ends in order. */
  async quit(): Promise<void> {
    await this.#process.end('SIGTERM');
  }

  /** SIGSTOP: connections stay, and nothing answers. */
  pause(): void {
    this.#process.pause();
  }

  /** SIGCONT. */
  resume(): void {
    this.#process.resume();
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

  /** What `--journal` says for a log of this name. */
  journal(name: string): string {
    return `nats://${this.nodes.map(({ address }) => address).join()}/${name}`;
  }

  node(name: string): NatsNode {
    const found = this.nodes.find((node) => node.name === name);
    if (!found) throw new Error(`No log server has the name ${name}.`);
    return found;
  }

  /** The leader of a stream, when there is one that runs. */
  async leaderOf(stream: string): Promise<NatsNode> {
    const deadline = performance.now() + PATIENCE_MS;
    while (performance.now() < deadline) {
      const names = await Promise.all(this.nodes.map((node) => node.leaderOf(stream)));
      // A server that was killed a moment ago is still the leader for the others.
      const leader = names.find((name, index) => name === this.nodes[index]!.name);
      if (leader !== undefined) return this.node(leader);
      await wait(POLL_MS);
    }
    throw new Error(`No log server leads the stream ${stream}.`);
  }

  async untilHealthy(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.untilHealthy()));
  }

  /** Kills all. */
  async kill(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.kill()));
  }
}

/**
 * Starts log servers with free ports on the loopback, which write to the disk before they
 * acknowledge; each has a directory of its own below `root`. `more`: further lines of the
 * configuration.
 */
export async function startNatsServers(
  root: string,
  count: 1 | 3,
  more: readonly string[] = [],
): Promise<NatsServers> {
  const names = Array.from({ length: count }, (_, index) => `n${index + 1}`);
  const ports = await Promise.all(names.flatMap(() => [freePort(), freePort(), freePort()]));
  const routes = names.map((_, index) => `"nats://127.0.0.1:${ports[index * 3 + 2]}"`).join(', ');
  const nodes = names.map((name, index) => {
    const [port = 0, monitorPort = 0, routePort = 0] = ports.slice(index * 3);
    const cluster =
      count === 1 ? '' : `cluster { name: test, listen: "127.0.0.1:${routePort}", routes: [${routes}] }`;
    return new NatsNode({ name, port, monitorPort, directory: join(root, name), cluster, more });
  });
  const servers = new NatsServers(nodes);
  await Promise.all(nodes.map((node) => node.start()));
  await servers.untilHealthy();
  return servers;
}
