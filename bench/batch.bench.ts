/** `POST /ldpath/batch` on a real server, beside one in-process evaluator on the same data: evaluations a second. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compilePath, compileProgram } from '../src/ldpath/compiler.ts';
import { Evaluator } from '../src/ldpath/evaluation.ts';
import type { SnapshotReader } from '../src/snapshot/reader.ts';
import { FOAF, GRAPH, PATH, PERSON, PROGRAM, personTurtle, seededRandom } from './person-data.ts';
import { snapshotOf } from './person-snapshot.ts';
import { type Started, start, stop } from './processes.ts';
import type { Figure } from './report.ts';

const SERVER = 'dist/src/main.js';
/** Worker threads of the server; a batch gets all but one. */
const THREADS = 2;
const BATCH = 10_000;

export interface BatchBenchOptions {
  readonly persons: number;
  readonly rounds: number;
  readonly seconds: number;
}

export async function benchBatch(options: BatchBenchOptions): Promise<Figure[]> {
  const directory = await mkdtemp(join(tmpdir(), 'pathpool-bench-'));
  try {
    const turtle = personTurtle(options.persons);
    const file = join(directory, 'people.ttl');
    await writeFile(file, turtle);
    const server = await startServer(file);
    try {
      const reader = snapshotOf(turtle).reader();
      return [
        await batchFigure('path', PATH, options, server.url, reader),
        await batchFigure('program', PROGRAM, options, server.url, reader),
      ];
    } finally {
      await stop(server.started);
    }
  } finally {
    await rm(directory, { recursive: true });
  }
}

async function batchFigure(
  mode: 'path' | 'program',
  source: string,
  { persons, rounds, seconds }: BatchBenchOptions,
  url: string,
  reader: SnapshotReader,
): Promise<Figure> {
  const random = seededRandom(3);
  const uris = Array.from({ length: BATCH }, () => `${PERSON}${Math.floor(random() * persons)}`);
  const body = JSON.stringify({ [mode]: source, uris });
  const evaluate = inProcess(mode, source, uris, reader);
  const bare: number[] = [];
  const ours: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    const reference = await rate(seconds, () => Promise.resolve(evaluate()));
    const measured = await rate(seconds, () => postBatch(url, body));
    // The first round warms up.
    if (round > 0) {
      bare.push(reference);
      ours.push(measured);
    }
  }
  return {
    name: `POST /ldpath/batch, ${mode === 'path' ? PATH : 'six-field program'}, ${BATCH} starts each, ${THREADS - 1} of ${THREADS} threads`,
    unit: 'evaluations/s',
    values: ours,
    reference: { name: 'one evaluator in the process of the bench', values: bare },
    goal: 'near the number of threads',
  };
}

/** Evaluations a second, of calls that make `BATCH` each. */
async function rate(seconds: number, batch: () => Promise<void>): Promise<number> {
  const began = performance.now();
  let batches = 0;
  do {
    await batch();
    batches++;
  } while (performance.now() - began < seconds * 1000);
  return (batches * BATCH * 1000) / (performance.now() - began);
}

function inProcess(
  mode: 'path' | 'program',
  source: string,
  uris: readonly string[],
  reader: SnapshotReader,
): () => void {
  const evaluator = new Evaluator();
  const out = evaluator.newWriter();
  const prefixes = { foaf: FOAF };
  const path = mode === 'path' ? compilePath(source, { prefixes }) : undefined;
  const program = path ? undefined : compileProgram(source, { prefixes });
  return () => {
    for (const uri of uris) {
      out.clear();
      if (path) evaluator.writePath(path, reader, `<${uri}>`, out);
      if (program) evaluator.writeProgram(program, reader, `<${uri}>`, out);
      if (out.length < 200) throw new Error(`${uri}: only ${out.length} bytes`);
    }
  };
}

function postBatch(url: string, body: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const post = request(`${url}/ldpath/batch`, { method: 'POST' }, (response) => {
      let tail = '';
      response.on('data', (chunk: Buffer) => {
        tail = (tail + chunk.toString('latin1', Math.max(0, chunk.length - 100))).slice(-100);
      });
      response.on('end', () => {
        if (tail.includes(`{"done":true,"count":${BATCH},"errors":0,`)) resolve();
        else reject(new Error(`A batch ended with ${tail}`));
      });
    });
    post.on('error', reject).end(body);
  });
}

async function startServer(file: string): Promise<{ url: string; started: Started }> {
  const args = ['--port', '0', '--memory', '--threads', String(THREADS), '--load', `${file}=${GRAPH}`];
  const started = await start([SERVER, ...args]);
  return { started, url: /http:\/\/\S+/.exec(started.line)?.[0] ?? '' };
}
