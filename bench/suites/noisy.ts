/**
 * Ordinary evaluations at a steady rate, alone and with noisy neighbours: how much longer do they
 * take?
 */
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { GRAPH } from '../data/person-data.ts';
import { newPathRequests, pathRequests } from '../data/person-requests.ts';
import type { LoadResult } from '../load/load.ts';
import { nextLine, type Started, start, stop } from '../measure/processes.ts';
import { median } from '../measure/statistics.ts';
import { untilWritable } from '../measure/until-writable.ts';
import type { Figure, Outcome } from '../report/figure.ts';
import type { Stage } from '../stage.ts';

const REQUESTS_A_SECOND = 500;
/**
 * Uploading and deleting a million triples takes four seconds: a slice contains two such rounds,
 * wherever it starts.
 */
const LEAST_SECONDS = 8;
/**
 * Slices with a neighbour before measurements count: in its first seconds of uploads, a server
 * compiles most of the code for them.
 */
const WARM_UP_SLICES = 2;
const GOAL = 3;
/** The same beside a crowd that does what it can to keep others from being served. */
const CROWD_GOAL = 10;
const CROWD_THREADS = 2;
const QUIET_LOOK_MS = 100;

interface Neighbour {
  /** See `children/noise.ts`. */
  readonly kind: string;
  readonly name: string;
  readonly goal: number;
  /**
   * Whether each evaluation is of a program that the server does not know, where all are of one
   * that has proved quick otherwise.
   */
  readonly isNew?: boolean;
}

const neighbours: readonly Neighbour[] = [
  { kind: 'runaway', name: 'one runaway program a second', goal: GOAL },
  { kind: 'upload', name: 'the data set being uploaded and deleted again and again', goal: GOAL },
  { kind: 'export', name: 'exports of the whole graph, one after another', goal: GOAL },
];
const CROWD = '64 connections of distinct runaway programs of twelve kinds';
const crowds: readonly Neighbour[] = [
  { kind: 'strangers', name: `${CROWD} from another address`, goal: CROWD_GOAL },
  { kind: 'strangers', name: `${CROWD} from another address`, goal: CROWD_GOAL, isNew: true },
  { kind: 'relatives', name: `${CROWD} from the same address`, goal: CROWD_GOAL },
];

export async function benchNoisyNeighbour(stage: Stage): Promise<Outcome> {
  const load = `${await stage.turtle()}=${GRAPH}`;
  const data = ['--data', join(stage.directory, 'noisy')];
  const figures = await benchAll(neighbours, stage, [...data, '--load', load]);
  const more = await benchAll(crowds, stage, [...data, '--threads', String(CROWD_THREADS)]);
  return { figures: [...figures, ...more] };
}

/** Beside one neighbour after another. */
async function benchAll(all: readonly Neighbour[], stage: Stage, args: readonly string[]): Promise<Figure[]> {
  const server = await stage.startServer(args);
  try {
    const figures: Figure[] = [];
    await measure(stage, server.url);
    for (const neighbour of all) figures.push(await benchBeside(neighbour, stage, server.url));
    return figures;
  } finally {
    await stop(server.started, 'SIGKILL');
  }
}

/** Alone and beside the neighbour in turn, so that what else this machine does touches both. */
async function benchBeside(neighbour: Neighbour, stage: Stage, url: string): Promise<Figure> {
  const { kind, name, goal, isNew = false } = neighbour;
  const alone: LoadResult[] = [];
  const beside: LoadResult[] = [];
  const noise = await start('bench/children/noise', [kind, url, await stage.turtle()]);
  const cold = await measure(stage, url, isNew);
  for (let i = 1; i < WARM_UP_SLICES; i++) await measure(stage, url, isNew);
  for (let round = 0; round < stage.heavyRounds; round++) {
    await rest(noise, url);
    alone.push(await measure(stage, url, isNew));
    await goOn(noise);
    beside.push(await measure(stage, url, isNew));
  }
  await stop(noise, 'SIGKILL');
  await untilQuiet(url);
  const failures = [...alone, ...beside].reduce((sum, each) => sum + each.failures, 0);
  const p99 = (results: readonly LoadResult[]) => results.map(({ latency }) => latency.p99);
  const p50 = (results: readonly LoadResult[]) =>
    median(results.map(({ latency }) => latency.p50)).toFixed(2);
  return {
    id: `noisy.${kind}${isNew ? '-new' : ''}`,
    name: `p99 of ${REQUESTS_A_SECOND} evaluations a second${isNew ? ' of programs that are all new' : ''} beside ${name}`,
    unit: 'ms',
    better: 'less',
    values: p99(beside),
    reference: { name: 'alone', values: p99(alone) },
    goal: { of: 'ratio', bound: goal },
    note: `${failures} failures; p50 ${p50(beside)}, alone ${p50(alone)} ms; p99 of the first ${cold.seconds.toFixed(0)} s beside it, not counted: ${cold.latency.p99.toFixed(1)} ms`,
  };
}

/** Resolves when the neighbour has ended its round, and the server what came of it. */
async function rest(neighbour: Started, url: string): Promise<void> {
  neighbour.process.kill('SIGUSR2');
  while ((await nextLine(neighbour)) !== 'resting');
  await untilQuiet(url);
}

/** Resolves when the neighbour has made a round of noise again. */
async function goOn(neighbour: Started): Promise<void> {
  neighbour.process.kill('SIGUSR2');
  await nextLine(neighbour);
}

/**
 * Resolves when the effects of the neighbour are over: an upload continues after it was terminated,
 * and a checkpoint may follow.
 */
async function untilQuiet(url: string): Promise<void> {
  await untilWritable(url);
  while ((await (await fetch(`${url}/tasks`)).text()) !== '{}') await wait(QUIET_LOOK_MS);
}

function measure(stage: Stage, url: string, isNew = false): Promise<LoadResult> {
  const { persons, seconds } = stage.options;
  const requests = isNew ? newPathRequests(persons, 3) : pathRequests(persons, 3).slice(0, 1_000);
  const target = { url, requests };
  return stage.open(target, REQUESTS_A_SECOND, Math.max(LEAST_SECONDS, seconds));
}
