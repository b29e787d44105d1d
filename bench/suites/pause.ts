/**
 * Small writes at a steady rate, with and without a checkpoint being written: how long is a write
 * delayed?
 */
import { readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { personTurtle } from '../data/person-data.ts';
import type { LoadResult } from '../load/load.ts';
import { stop } from '../measure/processes.ts';
import { putFile } from '../measure/put-file.ts';
import { median } from '../measure/statistics.ts';
import type { Figure, Outcome } from '../report/figure.ts';
import type { Stage } from '../stage.ts';
import { smallWrites } from './durability.ts';

const WRITES_A_SECOND = 200;
/** Long enough for a checkpoint of 1M quads. */
const SECONDS = 8;
/**
 * Share of the data that is put before each slice, so much of a journal that a checkpoint is due.
 */
const FILLER = 1 / 4;
const LOOK_MS = 100;
/** Milliseconds that no write may be held up. */
const GOAL = 50;
/** With the one a checkpoint begins when the filler is stored; with the other none does. */
const [ALWAYS, NEVER] = ['64KiB', '1GiB'];

interface Slice {
  readonly result: LoadResult;
  readonly checkpoints: number;
}

export async function benchPause(stage: Stage): Promise<Outcome> {
  const data = await stage.data();
  await stage.endServer();
  const { persons } = stage.options;
  const filler = join(stage.directory, 'filler.ttl');
  await writeFile(filler, personTurtle(Math.ceil(persons * FILLER), persons));
  const without: Slice[] = [];
  const during: Slice[] = [];
  for (let round = 0; round < stage.heavyRounds; round++) {
    without.push(await slice(stage, data, filler, NEVER));
    during.push(await slice(stage, data, filler, ALWAYS));
  }
  const checkpoints = during.reduce((sum, each) => sum + each.checkpoints, 0);
  if (checkpoints === 0)
    throw new Error('No checkpoint was written meanwhile, so that nothing was measured.');
  const note = `${checkpoints} checkpoints`;
  const figure = (key: 'p50' | 'p99' | 'max', name: string): Figure => ({
    id: `pause.${key}`,
    name: `${name} of ${WRITES_A_SECOND} small writes a second at ${stage.triples} quads while checkpoints are written`,
    unit: 'ms',
    better: 'less',
    values: during.map(({ result }) => result.latency[key]),
    reference: { name: 'without', values: without.map(({ result }) => result.latency[key]) },
    ...(key === 'max' && { goal: { of: 'value', bound: GOAL } }),
    note: `${note}; the generator's own delay at p99: ${lateness(during)} ms`,
  });
  return { figures: [figure('p50', 'median'), figure('p99', 'p99'), figure('max', 'longest')] };
}

async function slice(stage: Stage, data: string, filler: string, journalMax: string): Promise<Slice> {
  const server = await stage.startServer(['--data', data, '--journal-max', journalMax]);
  try {
    const target = { url: server.url, requests: smallWrites() };
    await stage.open(target, WRITES_A_SECOND, 1);
    const watch = new CheckpointWatch(data);
    await putFile(`${server.url}/context?graph=urn:x:filler`, filler);
    const result = await stage.open(target, WRITES_A_SECOND, SECONDS);
    const checkpoints = watch.end();
    await fetch(`${server.url}/context?graph=urn:x:filler`, { method: 'DELETE' });
    if (result.failures > 0)
      throw new Error(`${result.failures} writes failed, the first with ${result.fault}`);
    return { result, checkpoints };
  } finally {
    await stop(server.started);
  }
}

/** Counts the checkpoints that come to be in a data directory. */
class CheckpointWatch {
  readonly #data: string;
  readonly #before: ReadonlySet<string>;
  readonly #seen = new Set<string>();
  readonly #timer: NodeJS.Timeout;

  constructor(data: string) {
    this.#data = data;
    this.#before = new Set(manifests(data));
    this.#timer = setInterval(() => this.#look(), LOOK_MS);
  }

  end(): number {
    clearInterval(this.#timer);
    this.#look();
    return this.#seen.size;
  }

  #look(): void {
    for (const name of manifests(this.#data)) if (!this.#before.has(name)) this.#seen.add(name);
  }
}

function manifests(data: string): string[] {
  return readdirSync(data).filter((name) => /^checkpoint-\d+\.json$/.test(name));
}

function lateness(slices: readonly Slice[]): string {
  return median(slices.map(({ result }) => result.lateness)).toFixed(2);
}
