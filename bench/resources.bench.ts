/** Redirects of `/resource` beside the hello-world, and content of a gibibyte in and out beside what the server's memory grows by. */
import { mkdtemp, rm } from 'node:fs/promises';
import { type ClientRequest, get, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { chooseGenerator } from './load-generator.ts';
import { GRAPH, PERSON, personTurtle, seededRandom } from './person-data.ts';
import { output, type Started, start, stop } from './processes.ts';
import type { Figure } from './report.ts';

const CONNECTIONS = 64;
const MIB = 2 ** 20;
const CONTENT_BYTES = 1024 * MIB;
/** Enough for the lookups not to be all in the processor's caches. */
const MAX_PERSONS = 20_000;
const CONTENT = '/content/application/octet-stream?uri=urn:x:big';
const SAMPLE_MS = 100;

export interface ResourceBenchOptions {
  readonly persons: number;
  readonly rounds: number;
  readonly seconds: number;
}

export async function benchResources(options: ResourceBenchOptions): Promise<Figure[]> {
  const directory = await mkdtemp(join(tmpdir(), 'pathpool-bench-'));
  const server = await start([
    'dist/src/main.js',
    '--port',
    '0',
    '--data',
    join(directory, 'data'),
    '--threads',
    '2',
  ]);
  const url = /http:\/\/\S+/.exec(server.line)?.[0] ?? '';
  try {
    return [await benchRedirects(options, url), ...(await benchContent(server, url))];
  } finally {
    await stop(server);
    await rm(directory, { recursive: true });
  }
}

async function benchRedirects(options: ResourceBenchOptions, url: string): Promise<Figure> {
  const { rounds, seconds } = options;
  const persons = Math.min(options.persons, MAX_PERSONS);
  await put(`${url}/context?graph=${encodeURIComponent(GRAPH)}`, 'text/turtle', personTurtle(persons));
  const random = seededRandom(7);
  const paths = Array.from({ length: 10_000 }, () => {
    return `/resource?uri=${encodeURIComponent(PERSON + Math.floor(random() * persons))}`;
  });
  await requireRedirect(url + paths[0]);
  const { name, run } = await chooseGenerator();
  const hello = await start(['dist/bench/hello-world.js']);
  const common = { connections: CONNECTIONS, seconds };
  const helloLoad = { url: `http://127.0.0.1:${hello.line}`, paths: ['/'], ...common };
  const redirectLoad = { url, paths, ...common };
  const bare: number[] = [];
  const ours: number[] = [];
  try {
    for (const load of [helloLoad, redirectLoad]) await run({ ...load, seconds: 2 });
    for (let round = 0; round < rounds; round++) {
      bare.push((await run(helloLoad)).requestsPerSecond);
      ours.push((await run(redirectLoad)).requestsPerSecond);
    }
  } finally {
    await stop(hello);
  }
  return {
    name: `GET /resource, redirects, random resources, ${CONNECTIONS} connections`,
    unit: 'requests/s',
    values: ours,
    reference: { name: 'uWebSockets.js hello-world', values: bare },
    goal: '0.5 or more',
    note: name,
  };
}

/** One upload and one download, since a gibibyte takes its time. */
async function benchContent(server: Started, url: string): Promise<Figure[]> {
  // So that what the first request of its kind allocates for good is not counted as growth.
  await upload(url, 8 * MIB);
  await download(url, 8 * MIB);
  const memory = await MemoryWatch.begin(server.process.pid ?? 0);
  const uploadSeconds = await timed(() => upload(url, CONTENT_BYTES));
  const downloadSeconds = await timed(() => download(url, CONTENT_BYTES));
  const grown = await memory.end();
  const rate = (seconds: number) => [CONTENT_BYTES / MIB / seconds];
  return [
    { name: 'PUT /content of 1 GiB', unit: 'MiB/s', values: rate(uploadSeconds) },
    { name: 'GET /content of 1 GiB', unit: 'MiB/s', values: rate(downloadSeconds) },
    {
      name: "growth of the server's resident memory meanwhile, at most",
      unit: 'MiB',
      values: [grown / MIB],
      goal: 'less than 64',
    },
  ];
}

/** Looks at a process's resident memory again and again. */
class MemoryWatch {
  readonly #pid: number;
  readonly #before: number;
  readonly #timer: NodeJS.Timeout;
  #most: number;

  static async begin(pid: number): Promise<MemoryWatch> {
    return new MemoryWatch(pid, await residentBytes(pid));
  }

  private constructor(pid: number, before: number) {
    this.#pid = pid;
    this.#before = before;
    this.#most = before;
    this.#timer = setInterval(() => void this.#look(), SAMPLE_MS);
  }

  /** The greatest growth that was seen, in bytes. */
  async end(): Promise<number> {
    clearInterval(this.#timer);
    await this.#look();
    return this.#most - this.#before;
  }

  async #look(): Promise<void> {
    this.#most = Math.max(this.#most, await residentBytes(this.#pid));
  }
}

async function residentBytes(pid: number): Promise<number> {
  return Number(await output('ps', ['-o', 'rss=', '-p', String(pid)])) * 1024;
}

/** Seconds. */
async function timed(work: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1000;
}

async function upload(url: string, bytes: number): Promise<void> {
  const chunk = Buffer.alloc(MIB, 'pathpool');
  const source = Readable.from(
    (function* () {
      for (let at = 0; at < bytes; at += MIB) yield chunk;
    })(),
  );
  const outgoing = request(`${url}${CONTENT}`, { method: 'PUT', headers: { 'Content-Length': bytes } });
  const status = statusOf(outgoing);
  await pipeline(source, outgoing);
  if (![200, 201].includes(await status)) throw new Error(`PUT answered ${await status}`);
}

async function download(url: string, bytes: number): Promise<void> {
  let received = 0;
  const counting = new Writable({
    write(chunk: Buffer, _encoding, done) {
      received += chunk.length;
      done();
    },
  });
  await new Promise<void>((resolve, reject) => {
    get(`${url}${CONTENT}`, (response) => pipeline(response, counting).then(resolve, reject)).on(
      'error',
      reject,
    );
  });
  if (received !== bytes) throw new Error(`GET gave ${received} bytes.`);
}

function statusOf(outgoing: ClientRequest): Promise<number> {
  return new Promise((resolve, reject) => {
    outgoing.on('error', reject).on('response', (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0));
    });
  });
}

async function put(target: string, type: string, body: string): Promise<void> {
  const response = await fetch(target, { method: 'PUT', headers: { 'Content-Type': type }, body });
  if (!response.ok) throw new Error(`PUT answered ${response.status}`);
}

async function requireRedirect(target: string): Promise<void> {
  const response = await fetch(target, { redirect: 'manual' });
  if (response.status !== 303) throw new Error(`${target} answered ${response.status}`);
}
