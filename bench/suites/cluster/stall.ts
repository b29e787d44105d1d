import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { LocalCluster } from '../../cluster/local-cluster.ts';
import { personTurtle } from '../../data/person-data.ts';
import { stop } from '../../measure/processes.ts';
import { putFile } from '../../measure/put-file.ts';
import { median } from '../../measure/statistics.ts';
import type { Figure } from '../../report/figure.ts';
import type { Stage } from '../../stage.ts';
import { roundsOf, startSingle } from './bench-cluster.ts';

const WRITES_A_SECOND = 20;
const RETRY_MS = 100;

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
  const longest = await longestWriteWhile(url, putting);
  const removed = await fetch(graph, { method: 'DELETE' });
  if (!removed.ok) throw new Error(`DELETE ${graph} answered ${removed.status}`);
  await rm(file);
  return { longest, put };
}

/**
 * The longest latency of small writes at a constant rate until `work` is done, in milliseconds.
 * There is no limit for it: a load of `Stage` gives up after seconds.
 */
async function longestWriteWhile(url: string, work: Promise<void>): Promise<number> {
  let longest = 0;
  const writes: Promise<void>[] = [];
  const write = async (number: number) => {
    const sent = performance.now();
    await writeUntilStored(url, number);
    longest = Math.max(longest, performance.now() - sent);
  };
  const timer = setInterval(() => {
    const writing = write(writes.length);
    // Failures are reported below.
    writing.catch(() => {});
    writes.push(writing);
  }, 1000 / WRITES_A_SECOND);
  await work.finally(() => clearInterval(timer));
  await Promise.all(writes);
  return longest;
}

/** Repeats it while it is 503, as clients do: nothing was stored then. */
async function writeUntilStored(url: string, number: number): Promise<void> {
  const headers = { 'Content-Type': 'application/n-triples' };
  const body = `<urn:x:s> <urn:x:p> "${number}" .`;
  const put = { method: 'PUT', headers, body };
  for (;;) {
    const response = await fetch(`${url}/context?graph=urn:x:small`, put);
    const text = await response.text();
    if (response.ok) return;
    if (response.status !== 503) throw new Error(`A small write got ${response.status}: ${text}`);
    await wait(RETRY_MS);
  }
}

function seconds(rounds: readonly Beside[]): string {
  return median(rounds.map(({ put }) => put)).toFixed(1);
}
