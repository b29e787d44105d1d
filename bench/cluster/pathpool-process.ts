import { mkdir, rm } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { ControlledProcess } from './controlled-process.ts';

const POLL_MS = 25;
/** Longest start, in milliseconds: the machine may be busy, and the log may elect a leader. */
const PATIENCE_MS = 90_000;
const ANSWER_MS = 2000;

export interface PathpoolSettings {
  /** The command without arguments. */
  readonly command: readonly string[];
  readonly name: string;
  readonly port: number;
  /** The directory in which it keeps its part of the data. */
  readonly directory: string;
  /** `nats://host:port,host:port/NAME`. */
  readonly journal: string;
  /** Copies that the log keeps. */
  readonly replicas: number;
  readonly base: string;
  readonly args?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

/** One Pathpool process of a cluster. It keeps its port and its directory over restarts. */
export class PathpoolProcess {
  readonly name: string;
  readonly url: string;
  readonly directory: string;
  readonly #process: ControlledProcess;

  constructor(settings: PathpoolSettings) {
    const { command, name, port, directory, journal, replicas, base } = settings;
    this.name = name;
    this.url = `http://127.0.0.1:${port}`;
    this.directory = directory;
    const args = ['--port', String(port), '--data', directory, '--base', base, '--process', name];
    args.push('--journal', journal, '--cluster-replicas', String(replicas), ...(settings.args ?? []));
    this.#process = new ControlledProcess([...command, ...args], settings.environment);
  }

  get errors(): string {
    return this.#process.errors;
  }

  get isRunning(): boolean {
    return this.#process.isRunning;
  }

  /** The exit status when it ended last; null when a signal ended it. */
  get status(): number | null {
    return this.#process.status;
  }

  /** While it runs. */
  get pid(): number | undefined {
    return this.#process.pid;
  }

  async start(): Promise<void> {
    await mkdir(this.directory, { recursive: true });
    this.#process.start();
  }

  /** Resolves when it serves reads and accepts writes. Fails when it ends before. */
  async untilReady(): Promise<void> {
    const deadline = performance.now() + PATIENCE_MS;
    while (!(await this.isReady())) {
      if (!this.isRunning) throw new Error(`${this.name} has ended: ${this.errors}`);
      if (performance.now() > deadline) throw new Error(`${this.name} is not ready: ${this.errors}`);
      await wait(POLL_MS);
    }
  }

  async isReady(): Promise<boolean> {
    const signal = AbortSignal.timeout(ANSWER_MS);
    const response = await fetch(`${this.url}/health/ready`, { signal }).catch(() => undefined);
    await response?.arrayBuffer().catch(() => {});
    return response?.status === 200;
  }

  async restart(): Promise<void> {
    await this.kill();
    await this.start();
    await this.untilReady();
  }

  /** SIGKILL, as in a crash. */
  async kill(): Promise<void> {
    await this.#process.end('SIGKILL');
  }

  /** SIGTERM: it ends in order. */
  end(): Promise<number | null> {
    return this.#process.end('SIGTERM');
  }

  /** Removes its directory. It must have ended. */
  async wipe(): Promise<void> {
    await rm(this.directory, { recursive: true, force: true });
  }

  pause(): void {
    this.#process.pause();
  }

  resume(): void {
    this.#process.resume();
  }
}
