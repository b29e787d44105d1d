/**
 * Redirects of `/resource` compared with the hello-world, and content of one gibibyte in and out,
 * with the growth of the server's memory.
 */
import { type ClientRequest, get, request } from 'node:http';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { PERSON } from '../data/person-data.ts';
import { randomPersons } from '../data/person-requests.ts';
import type { LoadRequest } from '../load/request.ts';
import { stop } from '../measure/processes.ts';
import { residentBytes } from '../measure/processor-time.ts';
import type { Figure, Outcome } from '../report/figure.ts';
import type { Server, Stage } from '../stage.ts';
import { besideHello } from './beside-hello.ts';

const MIB = 2 ** 20;
const CONTENT_BYTES = 1024 * MIB;
const CONTENT = '/content/application/octet-stream?uri=urn:x:big';
const SAMPLE_MS = 100;
/** MiB. */
const GROWTH_GOAL = 64;

export async function benchResources(stage: Stage): Promise<Outcome> {
  const shared = await stage.server();
  const redirects = await besideHello(stage, {
    id: 'resource.redirect',
    name: 'GET /resource, redirects, random resources',
    server: shared,
    target: { url: shared.url, requests: redirectRequests(stage.options.persons) },
    goal: 0.5,
  });
  const server = await stage.startServer(['--data', join(stage.directory, 'content')]);
  try {
    return { figures: [redirects, ...(await benchContent(server))] };
  } finally {
    await stop(server.started, 'SIGKILL');
  }
}

function redirectRequests(persons: number): LoadRequest[] {
  return randomPersons(persons, 7).map((i) => ({
    method: 'GET',
    path: `/resource?uri=${encodeURIComponent(PERSON + i)}`,
    expect: { status: 303 },
  }));
}

/** One upload and one download, since a gibibyte takes its time. */
async function benchContent({ started, url }: Server): Promise<Figure[]> {
  // So that what the first request of its kind allocates for good is not counted as growth.
  await upload(url, 8 * MIB);
  await download(url, 8 * MIB);
  const memory = new MemoryWatch(started.pid);
  const uploadSeconds = await timed(() => upload(url, CONTENT_BYTES));
  const downloadSeconds = await timed(() => download(url, CONTENT_BYTES));
  const grown = memory.end();
  const rate = (seconds: number) => [CONTENT_BYTES / MIB / seconds];
  const transfer = { unit: 'MiB/s', better: 'more' } as const;
  return [
    { id: 'content.in', name: 'PUT /content of 1 GiB', ...transfer, values: rate(uploadSeconds) },
    { id: 'content.out', name: 'GET /content of 1 GiB', ...transfer, values: rate(downloadSeconds) },
    {
      id: 'content.memory',
      name: "growth of the server's resident memory meanwhile, at most",
      unit: 'MiB',
      better: 'less',
      values: [grown / MIB],
      goal: { of: 'value', bound: GROWTH_GOAL },
    },
  ];
}

/** Looks at a process's resident memory again and again. */
class MemoryWatch {
  readonly #pid: number;
  readonly #before: number;
  readonly #timer: NodeJS.Timeout;
  #most: number;

  constructor(pid: number) {
    this.#pid = pid;
    this.#before = residentBytes(pid) ?? Number.NaN;
    this.#most = this.#before;
    this.#timer = setInterval(() => this.#look(), SAMPLE_MS);
  }

  /** The greatest growth that was seen, in bytes. */
  end(): number {
    clearInterval(this.#timer);
    this.#look();
    return this.#most - this.#before;
  }

  #look(): void {
    this.#most = Math.max(this.#most, residentBytes(this.#pid) ?? Number.NaN);
  }
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
