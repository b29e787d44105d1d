import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { GRAPH, personTurtle, TRIPLES_A_PERSON } from './data/person-data.ts';
import { Generator } from './load/generator.ts';
import type { LoadResult } from './load/load.ts';
import { NUMBER, type Target } from './load/request.ts';
import { runWrk } from './load/wrk.ts';
import { type Started, start, stop } from './measure/processes.ts';
import { putFile } from './measure/put-file.ts';
import type { BenchOptions } from './options.ts';

export interface Server {
  readonly started: Started;
  /** Without a slash at its end. */
  readonly url: string;
}

/** Of all servers of a run, whatever their ports, since a data directory records it. */
export const BASE = 'http://localhost:8080';
/** A request body of 10M triples is about 300 MB. */
const limits = ['--max-rdf-body', '1GiB'];
const CHECKPOINT_TRIES = 600;
const CHECKPOINT_PAUSE_MS = 100;

/** What suites share: data and processes are made when first asked for, and end with the run. */
export class Stage {
  readonly options: BenchOptions;
  /** For files of this run. */
  readonly directory: string;
  readonly #generator = Generator.start();
  #turtle: Promise<string> | undefined;
  #data: Promise<string> | undefined;
  #server: Promise<Server> | undefined;
  #hello: Promise<Server> | undefined;

  private constructor(options: BenchOptions, directory: string) {
    this.options = options;
    this.directory = directory;
  }

  static async open(options: BenchOptions): Promise<Stage> {
    return new Stage(options, await mkdtemp(join(tmpdir(), 'pathpool-bench-')));
  }

  get triples(): number {
    return this.options.persons * TRIPLES_A_PERSON;
  }

  /** Of what takes seconds a round, since a run must end. */
  get heavyRounds(): number {
    return Math.min(3, this.options.rounds);
  }

  /** File of the data set. */
  turtle(): Promise<string> {
    this.#turtle ??= this.#writeTurtle();
    return this.#turtle;
  }

  /** Data directory with the data set in a checkpoint; nobody has it. */
  data(): Promise<string> {
    this.#data ??= this.#writeData();
    return this.#data;
  }

  /** A server with the data set, on its disk. */
  server(): Promise<Server> {
    this.#server ??= this.data().then((data) => this.startServer(['--data', data]));
    return this.#server;
  }

  /** The shared server lets its data directory go; it is started again when asked for. */
  async endServer(): Promise<void> {
    const server = await this.#server;
    this.#server = undefined;
    if (server) await stop(server.started);
  }

  /** The reference point of HTTP figures. */
  hello(): Promise<Server> {
    this.#hello ??= start('bench/children/hello-world', []).then((started) => {
      return { started, url: `http://127.0.0.1:${started.line}` };
    });
    return this.#hello;
  }

  async startServer(args: readonly string[]): Promise<Server> {
    const common = ['--port', '0', '--base', BASE, '--threads', String(this.options.threads)];
    const started = await start('src/main', [...common, ...args]);
    return { started, url: /https?:\/\/\S+/.exec(started.line)?.[0] ?? '' };
  }

  /** The most that a target gives. */
  closed(target: Target, load: { connections?: number; seconds?: number } = {}): Promise<LoadResult> {
    const { connections = this.options.connections, seconds = this.options.seconds } = load;
    const numbered = target.requests.some((request) => JSON.stringify(request).includes(NUMBER));
    if (this.options.generator === 'wrk' && !numbered && !target.moreUrls) {
      return runWrk(target, { connections, seconds }, this.directory);
    }
    return this.#generator.run(target, { kind: 'closed', connections, seconds });
  }

  open(target: Target, perSecond: number, seconds = this.options.seconds): Promise<LoadResult> {
    return this.#generator.run(target, { kind: 'open', perSecond, seconds, connections: 256 });
  }

  /** Also while something is starting, or has not started. */
  async close(): Promise<void> {
    for (const server of await Promise.allSettled([this.#server, this.#hello])) {
      if (server.status === 'fulfilled' && server.value) await stop(server.value.started, 'SIGKILL');
    }
    await this.#generator.stop();
    await rm(this.directory, { recursive: true, force: true });
  }

  async #writeTurtle(): Promise<string> {
    const file = join(this.directory, 'people.ttl');
    await writeFile(file, personTurtle(this.options.persons));
    return file;
  }

  async #writeData(): Promise<string> {
    const data = join(this.directory, 'data');
    // So that data of any size end up in a checkpoint.
    const server = await this.startServer([...limits, '--data', data, '--journal-max', '64KiB']);
    await putFile(`${server.url}/context?graph=${encodeURIComponent(GRAPH)}`, await this.turtle());
    await checkpointWritten(data);
    await stop(server.started);
    return data;
  }
}

/** Resolves when there is a checkpoint in the data directory. */
async function checkpointWritten(data: string): Promise<void> {
  for (let i = 0; i < CHECKPOINT_TRIES; i++) {
    if ((await readdir(data)).some((name) => /^checkpoint-\d+\.json$/.test(name))) return;
    await wait(CHECKPOINT_PAUSE_MS);
  }
  throw new Error('No checkpoint was written within a minute.');
}

/** A right answer's failures are none: a figure of wrong answers is worth nothing. */
export function requireGood(result: LoadResult, what: string): LoadResult {
  if (result.failures === 0) return result;
  throw new Error(`${what}: ${result.failures} wrong answers, the first with ${result.fault}`);
}
