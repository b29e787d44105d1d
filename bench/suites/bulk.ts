/** Bulk load, start-up until the first read and the first write, and memory, beside a bare Oxigraph. */
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

const MIB = 2 ** 20;

export async function benchBulk(stage: Stage): Promise<Outcome> {
  await stage.endServer();
  const figures = [
    await loadFigure(stage),
    await startFigure(stage, 'read', 0.3),
    await startFigure(stage, 'write', 1.2),
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
    bare.push((stage.triples / (await bareLoad(file)).milliseconds) * 1000);
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
    goal: { of: 'ratio', bound: 0.8 },
  };
}

async function startFigure(stage: Stage, until: 'read' | 'write', bound: number): Promise<Figure> {
  const file = await stage.turtle();
  const data = await stage.data();
  const bare: number[] = [];
  const ours: number[] = [];
  for (let round = 0; round < stage.heavyRounds; round++) {
    bare.push((await bareLoad(file)).milliseconds / 1000);
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
  const oxigraph = (await bareLoad(await stage.turtle())).grownBytes;
  const empty = await residentAfter(stage, ['--memory'], false);
  const full = await residentAfter(stage, ['--data', await stage.data()], true);
  if (empty === undefined || full === undefined) return [];
  const note = `server ${mib(full)} MiB, empty server ${mib(empty)} MiB, Oxigraph's growth ${mib(oxigraph)} MiB`;
  const common = { unit: 'bytes a triple', better: 'less', note } as const;
  return [
    {
      id: 'memory.process',
      name: "memory of the whole process beyond Oxigraph's own",
      ...common,
      values: [(full - oxigraph) / stage.triples],
      goal: { of: 'value', bound: 150 },
    },
    {
      id: 'memory.growth',
      name: 'the same, less that of a server without data',
      ...common,
      values: [(full - empty - oxigraph) / stage.triples],
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

function mib(bytes: number): number {
  return Math.round(bytes / MIB);
}

async function bareLoad(file: string): Promise<{ milliseconds: number; grownBytes: number }> {
  return JSON.parse(await outputOf('bench/children/bare-load', [file]));
}
