/** Ordinary evaluations at a steady rate, alone and beside neighbours that make noise: how much longer do they take? */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Latencies, runOpenLoad } from './open-load.ts';
import { GRAPH, PERSON, personTurtle, seededRandom } from './person-data.ts';
import { start, stop } from './processes.ts';
import type { Figure } from './report.ts';

const REQUESTS_A_SECOND = 500;

const neighbours = [
  ['runaway', 'one runaway program a second'],
  ['upload', 'the data set being uploaded and deleted again and again'],
  ['export', 'exports of the whole graph, one after another'],
] as const;

export interface NoisyNeighbourOptions {
  readonly persons: number;
  readonly rounds: number;
  readonly seconds: number;
}

export async function benchNoisyNeighbour(options: NoisyNeighbourOptions): Promise<Figure[]> {
  const directory = await mkdtemp(join(tmpdir(), 'pathpool-bench-'));
  const data = ['--data', join(directory, 'data'), '--threads', '2'];
  const file = join(directory, 'people.ttl');
  await writeFile(file, personTurtle(options.persons));
  const server = await start(['dist/src/main.js', '--port', '0', ...data, '--load', `${file}=${GRAPH}`]);
  const url = /http:\/\/\S+/.exec(server.line)?.[0] ?? '';
  try {
    const figures: Figure[] = [];
    await measure(url, options);
    for (const [kind, name] of neighbours) figures.push(await benchBeside(kind, name, url, file, options));
    return figures;
  } finally {
    await stop(server);
    await rm(directory, { recursive: true });
  }
}

/** Alone and beside the neighbour in turn, so that what else this machine does touches both. */
async function benchBeside(
  kind: string,
  name: string,
  url: string,
  file: string,
  options: NoisyNeighbourOptions,
): Promise<Figure> {
  const alone: Latencies[] = [];
  const beside: Latencies[] = [];
  for (let round = 0; round < options.rounds; round++) {
    alone.push(await measure(url, options));
    const noise = await start(['dist/bench/noise.js', kind, url, file]);
    beside.push(await measure(url, options));
    await stop(noise, 'SIGKILL');
  }
  const failures = [...alone, ...beside].reduce((sum, each) => sum + each.failures, 0);
  const medians = (latencies: readonly Latencies[]) => latencies.map(({ p50 }) => p50.toFixed(2)).join(', ');
  return {
    name: `p99 of ${REQUESTS_A_SECOND} evaluations a second beside ${name}`,
    unit: 'ms',
    values: beside.map(({ p99 }) => p99),
    reference: { name: 'alone', values: alone.map(({ p99 }) => p99) },
    goal: '3 times or less, no failures',
    note: `${failures} failures; p50 ${medians(beside)}, alone ${medians(alone)}`,
  };
}

function measure(url: string, { persons, seconds }: NoisyNeighbourOptions): Promise<Latencies> {
  const random = seededRandom(3);
  const path = encodeURIComponent('foaf:knows/foaf:name');
  const paths = Array.from({ length: 1_000 }, () => {
    const uri = encodeURIComponent(PERSON + Math.floor(random() * persons));
    return `/ldpath/path?path=${path}&uri=${uri}`;
  });
  return runOpenLoad({ port: Number(new URL(url).port), paths, perSecond: REQUESTS_A_SECOND, seconds });
}
