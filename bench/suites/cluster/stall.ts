import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { LocalCluster } from '../../cluster/local-cluster.ts';
import { personTurtle } from '../../data/person-data.ts';
import { stop } from '../../measure/processes.ts';
import { putFile } from '../../measure/put-file.ts';
import { median } from '../../measure/statistics.ts';
import type { Figure } from '../../report/figure.ts';
import type { Stage } from '../../stage.ts';
import { longestWriteWhile, WRITES_A_SECOND } from '../longest-write.ts';
import { roundsOf, startSingle } from './bench-cluster.ts';

interface Beside {
  /** Milliseconds. */
  readonly longest: number;
  /** Of the PUT, in seconds. */
  readonly put: number;
}

/** How long a PUT of the whole data set delays small writes to the same process. */
export async function benchStall(stage: Stage, cluster: LocalCluster): Promise<Figure[]> {
  const single = await startSingle(stage, 'single-stall');
  const ours: Beside[] = [];
  const local: Beside[] = [];
  try {
    for (let round = 0; round < roundsOf(stage); round++) {
      local.push(await besidePut(stage, single.url, round));
      ours.push(await besidePut(stage, (await cluster.writer()).url, round));
    }
  } finally {
    await stop(single.started, 'SIGKILL');
  }
  return [
    {
      id: 'cluster.stall',
      name: `longest of ${WRITES_A_SECOND} small writes a second to the holder beside a PUT of ${stage.triples} triples`,
      unit: 'ms',
      better: 'less',
      values: ours.map(({ longest }) => longest),
      reference: { name: 'local journal', values: local.map(({ longest }) => longest) },
      note: `the PUT took ${seconds(ours)} s (local journal ${seconds(local)} s)`,
    },
  ];
}

/** Each round has other data, whose terms the server does not know yet. */
async function besidePut(stage: Stage, url: string, round: number): Promise<Beside> {
  const { persons } = stage.options;
  const file = join(stage.directory, 'stall.ttl');
  await writeFile(file, personTurtle(persons, round * persons));
  const graph = `${url}/context?graph=urn:x:stall`;
  const began = performance.now();
  let put = Number.NaN;
  const putting = putFile(graph, file).then(() => {
    put = (performance.now() - began) / 1000;
  });
  const longest = await longestWriteWhile(stage, url, putting);
  const removed = await fetch(graph, { method: 'DELETE' });
  if (!removed.ok) throw new Error(`DELETE ${graph} answered ${removed.status}`);
  await rm(file);
  return { longest, put };
}

function seconds(rounds: readonly Beside[]): string {
  return median(rounds.map(({ put }) => put)).toFixed(1);
}
