/** A real server in its own processes: bulk load, start-up, and evaluations under load, each beside its reference point. */
import { createReadStream } from 'node:fs';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { chooseGenerator } from './load-generator.ts';
import { FOAF, GRAPH, PERSON, PROGRAM, personTurtle, seededRandom, TRIPLES_A_PERSON } from './person-data.ts';
import { output, type Started, start, stop } from './processes.ts';
import type { Figure } from './report.ts';

const SERVER = 'dist/src/main.js';
const CONNECTIONS = 64;

export interface ServerBenchOptions {
  readonly persons: number;
  readonly rounds: number;
  readonly seconds: number;
}

export async function benchServer(options: ServerBenchOptions): Promise<Figure[]> {
  const directory = await mkdtemp(join(tmpdir(), 'pathpool-bench-'));
  try {
    const file = join(directory, 'people.ttl');
    await writeFile(file, personTurtle(options.persons));
    const data = join(directory, 'data');
    const load = await benchLoad(options, file, data);
    const startUp = await benchStartUp(options, file, data);
    return [load, startUp, ...(await benchEvaluations(options, data))];
  } finally {
    await rm(directory, { recursive: true });
  }
}

/** Leaves the data of the last round, with their checkpoint, in `data`. */
async function benchLoad(options: ServerBenchOptions, file: string, data: string): Promise<Figure> {
  const bare: number[] = [];
  const ours: number[] = [];
  const triples = options.persons * TRIPLES_A_PERSON;
  for (let round = 0; round < options.rounds; round++) {
    bare.push(triples / (await bareLoad(file)));
    await rm(data, { recursive: true, force: true });
    const server = await startServer(data);
    const began = performance.now();
    await put(server.url, file);
    ours.push((triples / (performance.now() - began)) * 1000);
    await checkpointWritten(data);
    await stop(server.started);
  }
  return {
    name: `bulk load through PUT /context (Turtle, ${triples} triples)`,
    unit: 'triples/s',
    values: ours,
    reference: { name: 'bare Store.load', values: bare },
    goal: '0.6 or more',
  };
}

async function benchStartUp(options: ServerBenchOptions, file: string, data: string): Promise<Figure> {
  const bare: number[] = [];
  const ours: number[] = [];
  for (let round = 0; round < options.rounds; round++) {
    bare.push(await bareLoad(file));
    const server = await startServer(data);
    ours.push(server.started.milliseconds / 1000);
    await stop(server.started, 'SIGKILL');
  }
  return {
    name: 'start-up until ready, process start included',
    unit: 's',
    values: ours,
    reference: { name: 'bare Store.load of the same data', values: bare },
    goal: '1.5 times or less',
  };
}

async function benchEvaluations(
  { persons, rounds, seconds }: ServerBenchOptions,
  data: string,
): Promise<Figure[]> {
  const { name: generator, run } = await chooseGenerator();
  const server = await startServer(data);
  const hello = await start(['dist/bench/hello-world.js']);
  const common = { url: server.url, connections: CONNECTIONS, seconds };
  const helloLoad = { ...common, url: `http://127.0.0.1:${hello.line}`, paths: ['/'] };
  const kinds = [
    {
      name: 'GET /ldpath/path foaf:knows/foaf:name',
      load: { ...common, paths: pathRequests(persons) },
      goal: '0.6',
    },
    {
      name: 'POST /ldpath/program of six fields',
      load: { ...common, paths: programRequests(persons), body: PROGRAM },
      goal: '0.25',
    },
  ].map((kind) => ({ ...kind, values: [] as number[], latencies: [] as string[] }));
  const bare: number[] = [];
  try {
    await requireAnswer(server.url + pathRequests(persons)[0]);
    for (const load of [helloLoad, ...kinds.map((kind) => kind.load)]) await run({ ...load, seconds: 2 });
    for (let round = 0; round < rounds; round++) {
      bare.push((await run(helloLoad)).requestsPerSecond);
      for (const { load, values, latencies } of kinds) {
        const result = await run(load);
        if (result.errors > 0) throw new Error(`${result.errors} errors`);
        values.push(result.requestsPerSecond);
        latencies.push(`${result.p50.toFixed(2)}/${result.p99.toFixed(2)}`);
      }
    }
  } finally {
    await stop(hello);
    await stop(server.started);
  }
  return kinds.map(({ name, values, latencies, goal }) => ({
    name: `${name}, random starts, ${CONNECTIONS} connections`,
    unit: 'requests/s',
    values,
    reference: { name: 'uWebSockets.js hello-world', values: bare },
    goal: `${goal} or more`,
    note: `${generator}; p50/p99 ms ${latencies.join(', ')}`,
  }));
}

function pathRequests(persons: number): string[] {
  const path = encodeURIComponent('foaf:knows/foaf:name');
  return randomStarts(persons).map((uri) => `/ldpath/path?path=${path}&uri=${uri}`);
}

function programRequests(persons: number): string[] {
  return randomStarts(persons).map((uri) => `/ldpath/program?uri=${uri}`);
}

function randomStarts(persons: number): string[] {
  const random = seededRandom(7);
  return Array.from({ length: 10_000 }, () => encodeURIComponent(PERSON + Math.floor(random() * persons)));
}

async function requireAnswer(url: string): Promise<void> {
  const nodes = (await (await fetch(url)).json()) as { value: string; lang: string }[];
  const good =
    nodes.length === 5 && nodes.every((node) => node.value.startsWith('Person ') && node.lang === 'en');
  if (!good) throw new Error(`${url} gives ${JSON.stringify(nodes)} (${FOAF}knows/${FOAF}name)`);
}

/** Seconds. */
async function bareLoad(file: string): Promise<number> {
  return Number(await output(process.execPath, ['dist/bench/bare-load.js', file])) / 1000;
}

async function startServer(data: string): Promise<{ url: string; started: Started }> {
  const started = await start([SERVER, '--port', '0', '--data', data, '--threads', '2']);
  return { started, url: /http:\/\/\S+/.exec(started.line)?.[0] ?? '' };
}

async function put(url: string, file: string): Promise<void> {
  const headers = { 'Content-Type': 'text/turtle', 'Content-Length': (await stat(file)).size };
  const target = `${url}/context?graph=${encodeURIComponent(GRAPH)}`;
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const upload = request(target, { method: 'PUT', headers }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode));
    });
    createReadStream(file).pipe(upload.on('error', reject));
  });
  if (status !== 201) throw new Error(`PUT answered ${status}`);
}

/** So that what is measured next is not disturbed by it. */
async function checkpointWritten(data: string): Promise<void> {
  for (let i = 0; i < 300; i++) {
    if ((await readdir(data)).some((name) => /^checkpoint-\d+\.json$/.test(name))) return;
    await wait(100);
  }
}
