/** Small writes at a steady rate, with and without a checkpoint being written meanwhile: how long is one held up? */
import { readdir } from 'node:fs/promises';
import type { LoadResult } from '../load/load.ts';
import { stop } from '../measure/processes.ts';
import { median } from '../measure/statistics.ts';
import type { Figure, Outcome } from '../report/figure.ts';
import type { Stage } from '../stage.ts';
import { smallWrites } from './durability.ts';

const WRITES_A_SECOND = 200;
/** Long enough for several checkpoints of 1M quads. */
const SECONDS = 8;
/** Milliseconds; issue: no pause of writes over this. */
const GOAL = 50;
/** With the one every few hundred of these writes begin a checkpoint; with the other none does. */
const [ALWAYS, NEVER] = ['64KiB', '1GiB'];

interface Slice {
  readonly result: LoadResult;
  readonly checkpoints: number;
}

export async function benchPause(stage: Stage): Promise<Outcome> {
  const data = await stage.data();
  await stage.endServer();
  const without: Slice[] = [];
  const during: Slice[] = [];
  for (let round = 0; round < stage.heavyRounds; round++) {
    without.push(await slice(stage, data, NEVER));
    during.push(await slice(stage, data, ALWAYS));
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

async function slice(stage: Stage, data: string, journalMax: string): Promise<Slice> {
  const server = await stage.startServer(['--data', data, '--journal-max', journalMax]);
  try {
    const target = { url: server.url, requests: smallWrites() };
    await stage.open(target, WRITES_A_SECOND, 1);
    const before = await newestCheckpoint(data);
    const result = await stage.open(target, WRITES_A_SECOND, SECONDS);
    if (result.failures > 0)
      throw new Error(`${result.failures} writes failed, the first with ${result.fault}`);
    return { result, checkpoints: (await newestCheckpoint(data)) > before ? 1 : 0 };
  } finally {
    await stop(server.started);
  }
}

/** Number of its commit. */
async function newestCheckpoint(data: string): Promise<number> {
  const numbers = (await readdir(data)).map((name) =>
    Number(/^checkpoint-(\d+)\.json$/.exec(name)?.[1] ?? 0),
  );
  return Math.max(0, ...numbers);
}

function lateness(slices: readonly Slice[]): string {
  return median(slices.map(({ result }) => result.lateness)).toFixed(2);
}
