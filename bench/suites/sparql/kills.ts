/** Queries that end at their deadline, one after another: what do they leave behind? */
import { lightQueries, runawayQueries } from '../../data/sparql-queries.ts';
import { NUMBER } from '../../load/request.ts';
import { residentBytes, threadTimes } from '../../measure/processor-time.ts';
import { quantile } from '../../measure/statistics.ts';
import type { Figure } from '../../report/figure.ts';
import type { Stage } from '../../stage.ts';
import { targetOf, untilAnswered } from './endpoints.ts';

/** Until memory is as it will stay. */
const WARM_UP = 10;
const KILLS = 50;
const MEGABYTE = 1e6;
const MEMORY_GOAL = 64;

/** `url`: of a server whose deadline is short. */
export async function killFigures(
  stage: Stage,
  url: string,
  pid: number,
  deadline: number,
): Promise<Figure[]> {
  // A runaway would wait no longer than its deadline for the first instance.
  await untilAnswered(stage, url);
  for (let i = 0; i < WARM_UP; i++) await kill(url, i);
  await settle(stage, url);
  const before = lookAt(pid);
  const late: number[] = [];
  for (let i = 0; i < KILLS; i++) late.push((await kill(url, WARM_UP + i)) - deadline);
  await settle(stage, url);
  const after = lookAt(pid);
  const figure = (id: string, name: string, unit: string, value: number, goal: number): Figure => ({
    id: `sparql.kills.${id}`,
    name: `${name} ${KILLS} SPARQL queries that ran to their deadline`,
    unit,
    better: 'less',
    values: [value],
    goal: { of: 'value', bound: goal },
  });
  return [
    {
      ...figure('late', 'milliseconds beyond the deadline, p99, of', 'ms', quantile(late, 0.99), 500),
      note: `p50 ${quantile(late, 0.5).toFixed(0)} ms`,
    },
    figure('threads', 'threads left behind by', 'threads', after.threads - before.threads, 0),
    figure('memory', 'memory left behind by', 'MB', (after.bytes - before.bytes) / MEGABYTE, MEMORY_GOAL),
  ];
}

function lookAt(pid: number): { readonly threads: number; readonly bytes: number } {
  const threads = threadTimes(pid)?.size;
  const bytes = residentBytes(pid);
  if (threads === undefined || bytes === undefined) throw new Error('This system does not tell of threads.');
  return { threads, bytes };
}

/** Light queries, so that all instances are there again. */
async function settle(stage: Stage, url: string): Promise<void> {
  const queries = lightQueries('hop', stage.options.persons);
  await stage.closed(targetOf({ url: `${url}/sparql` }, queries), { seconds: 1 });
}

/** Milliseconds until a runaway was answered. */
async function kill(url: string, number: number): Promise<number> {
  const query = runawayQueries[number % runawayQueries.length]!.replaceAll(NUMBER, String(number));
  const begin = performance.now();
  const response = await fetch(`${url}/sparql?query=${encodeURIComponent(query)}`);
  const body = await response.text();
  if (response.status === 504) return performance.now() - begin;
  throw new Error(`A query without end was answered ${response.status}: ${body.slice(0, 200)}`);
}
