/**
 * Bulk load, start-up until the first read and the first write, and memory, compared with a bare
 * Oxigraph.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { GRAPH } from '../data/person-data.ts';
import { pathRequests } from '../data/person-requests.ts';
import { outputOf, stop } from '../measure/processes.ts';
import { residentBytes } from '../measure/processor-time.ts';
import { putFile } from '../measure/put-file.ts';
import { untilWritable } from '../measure/until-writable.ts';
import type { Figure, Outcome } from '../report/figure.ts';
import { requireGood, type Stage } from '../stage.ts';
import { millisecondsUntil, readOnce, writeOnce } from './start-up.ts';

export async function benchBulk(stage: Stage): Promise<Outcome> {
  await stage.endServer();
  const figures = [
    await loadFigure(stage),
    await startFigure(stage, 'read', 0.3),
    await startFigure(stage, 'write', 0.35),
    ...(await memoryFigures(stage)),
  ];
  return { figures };
}

async function loadFigure(stage: Stage): Promise<Figure> {
  const file = await stage.turtle();
  const data = join(stage.directory, 'bulk');
  const bare: number[] = [];
  const ours: number[] = [];
  for (let round = 0; round < stage.heavyRounds; round++) {
    bare.push((stage.triples / (await bareLoad(file))) * 1000);
    const server = await stage.startServer(['--data', data]);
    const began = performance.now();
    await putFile(`${server.url}/context?graph=${encodeURIComponent(GRAPH)}`, file);
    ours.push((stage.triples / (performance.now() - began)) * 1000);
    await stop(server.started, 'SIGKILL');
    await rm(data, { recursive: true });
  }
  return {
    id: 'bulk.load',
    name: `bulk load through PUT /context (Turtle, ${stage.triples} triples)`,
    unit: 'triples/s',
    better: 'more',
    values: ours,
    reference: { name: 'bare Store.load', values: bare },
    goal: { of: 'ratio', bound: 2 },
  };
}

async function startFigure(stage: Stage, until: 'read' | 'write', bound: number): Promise<Figure> {
  const file = await stage.turtle();
  const data = await stage.data();
  const bare: number[] = [];
  const ours: number[] = [];
  for (let round = 0; round < stage.heavyRounds; round++) {
    bare.push((await bareLoad(file)) / 1000);
    ours.push((await millisecondsUntil(until === 'read' ? readOnce : writeOnce, stage, data)) / 1000);
  }
  return {
    id: `start.${until}`,
    name: `start-up with ${stage.triples} triples until the first ${until}, start of the process included`,
    unit: 's',
    better: 'less',
    values: ours,
    reference: { name: 'bare Store.load of the same data', values: bare },
    goal: { of: 'ratio', bound },
  };
}

/** After a start with the data and some reads; Linux only. */
async function memoryFigures(stage: Stage): Promise<Figure[]> {
  const values: number[] = [];
  for (let round = 0; round < stage.options.rounds; round++) {
    const empty = await residentAfter(stage, ['--memory'], false);
    const full = await residentAfter(stage, ['--data', await stage.data()], true);
    if (empty === undefined || full === undefined) return [];
    values.push((full - empty) / stage.triples);
  }
  return [
    {
      id: 'memory.process',
      name: 'memory of the process after a start, beyond an empty server (goal at 8M)',
      unit: 'bytes a triple',
      better: 'less',
      values,
      goal: { of: 'value', bound: 60 },
    },
  ];
}

async function residentAfter(
  stage: Stage,
  args: readonly string[],
  full: boolean,
): Promise<number | undefined> {
  const server = await stage.startServer(args);
  try {
    await untilWritable(server.url);
    const requests = pathRequests(stage.options.persons);
    if (full) requireGood(await stage.closed({ url: server.url, requests }), 'path');
    return residentBytes(server.started.pid);
  } finally {
    await stop(server.started, 'SIGKILL');
  }
}

/** Milliseconds. */
async function bareLoad(file: string): Promise<number> {
  return Number(await outputOf('bench/children/bare-load', [file]));
}
