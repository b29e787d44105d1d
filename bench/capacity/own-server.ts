import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GRAPH, personTurtle, TRIPLES_A_PERSON } from '../data/person-data.ts';
import { freePort } from '../measure/free-port.ts';
import { type Started, start, stop } from '../measure/processes.ts';
import { residentBytes } from '../measure/processor-time.ts';
import { untilWritable } from '../measure/until-writable.ts';
import type { Subject } from './options.ts';

/** What it takes to hold the data. */
export interface Holding {
  readonly quads: number;
  /**
   * Seconds from the start of a process until it is ready: without data, loading the data, and with
   * the data on its disk.
   */
  readonly emptyStart: number;
  readonly loadStart: number;
  readonly start: number;
  /** The last of these until a write is accepted. */
  readonly startWrites: number;
  /**
   * Resident bytes of the process, without and with the data; undefined if the system does not
   * report them.
   */
  readonly emptyBytes: number | undefined;
  readonly bytes: number | undefined;
}

interface Begun {
  readonly started: Started;
  readonly seconds: number;
  readonly secondsToWrites: number;
}

/**
 * Servers started by the benchmark on one data directory, one at a time and all on the same port,
 * so that they create the same URIs.
 */
export class OwnServers {
  readonly url: string;
  readonly #port: number;
  readonly #directory: string;
  #running: Started | undefined;

  private constructor(directory: string, port: number) {
    this.#directory = directory;
    this.#port = port;
    this.url = `http://127.0.0.1:${port}`;
  }

  static async create(): Promise<OwnServers> {
    return new OwnServers(await mkdtemp(join(tmpdir(), 'pathpool-capacity-')), await freePort());
  }

  get pid(): number | undefined {
    return this.#running?.pid;
  }

  /** Loads the data; leaves a server with them running. */
  async load(subject: Exclude<Subject, { kind: 'server' }>, threads: number): Promise<Holding> {
    const empty = await this.#begin(['--memory', ...threadArguments(threads)]);
    const emptyBytes = residentBytes(empty.started.pid);
    const loads = (await this.#files(subject)).flatMap((file) => ['--load', file]);
    const loading = await this.#begin([...this.#data, ...threadArguments(threads), ...loads]);
    const begun = await this.#begin([...this.#data, ...threadArguments(threads)]);
    return {
      quads: Number(/(\d+) quads/.exec(begun.started.line)?.[1] ?? 0),
      emptyStart: empty.seconds,
      loadStart: loading.seconds,
      start: begun.seconds,
      startWrites: begun.secondsToWrites,
      emptyBytes,
      bytes: residentBytes(begun.started.pid),
    };
  }

  /** In place of the one that is running. */
  async restart(threads: number): Promise<void> {
    await this.#begin([...this.#data, ...threadArguments(threads)]);
  }

  async end(): Promise<void> {
    if (this.#running) await stop(this.#running, 'SIGKILL');
    await rm(this.#directory, { recursive: true, force: true });
  }

  get #data(): readonly string[] {
    return ['--data', join(this.#directory, 'data')];
  }

  async #begin(args: readonly string[]): Promise<Begun> {
    if (this.#running) await stop(this.#running);
    this.#running = undefined;
    const began = performance.now();
    const started = await start('src/main', ['--port', String(this.#port), ...args]);
    this.#running = started;
    const seconds = (performance.now() - began) / 1000;
    await untilWritable(this.url);
    return { started, seconds, secondsToWrites: (performance.now() - began) / 1000 };
  }

  /** As `--load` takes them. */
  async #files(subject: Exclude<Subject, { kind: 'server' }>): Promise<readonly string[]> {
    if (subject.kind === 'files') return subject.files;
    const file = join(this.#directory, 'people.ttl');
    await writeFile(file, personTurtle(subject.triples / TRIPLES_A_PERSON));
    return [`${file}=${GRAPH}`];
  }
}

function threadArguments(threads: number): readonly string[] {
  return ['--threads', String(threads)];
}
