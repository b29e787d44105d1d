/**
 * `POST /ldpath/batch` for all instances of a class, compared with requests that list the same
 * start resources, 10,000 each: evaluations per second.
 */
import { FOAF, PATH, PERSON, PROGRAM } from '../data/person-data.ts';
import type { LoadRequest, Target } from '../load/request.ts';
import type { Figure } from '../report/figure.ts';
import { requireGood, type Stage } from '../stage.ts';

const BATCH = 10_000;
/** Share of the plain rate that a set should reach. */
const GOAL = 0.85;
/** Long enough for several responses, which have hundreds of megabytes for the program. */
const LEAST_SECONDS = 5;

type Mode = 'path' | 'program';

export async function wholeSetFigure(mode: Mode, stage: Stage, url: string): Promise<Figure> {
  const { persons, rounds, threads } = stage.options;
  const seconds = Math.max(LEAST_SECONDS, stage.options.seconds);
  const load = { connections: 1, seconds };
  const selection = { [mode]: mode === 'path' ? PATH : PROGRAM };
  const set = JSON.stringify({ ...selection, starts: { type: `${FOAF}Person` } });
  await requireWhole(url, set, persons);
  const lists = listsOf(persons).map((uris) => JSON.stringify({ ...selection, uris }));
  const plain: number[] = [];
  const whole: number[] = [];
  for (let round = -1; round < rounds; round++) {
    const reference = requireGood(await stage.closed(target(url, lists), load), 'batch');
    const measured = requireGood(await stage.closed(target(url, [set]), load), 'set');
    // The first round warms up.
    if (round < 0) continue;
    plain.push((reference.requestsPerSecond * persons) / lists.length);
    whole.push(measured.requestsPerSecond * persons);
  }
  return {
    id: `batch.set.${mode}`,
    name: `POST /ldpath/batch, ${mode}, all ${persons} instances of a class, ${threads} threads`,
    unit: 'evaluations/s',
    better: 'more',
    values: whole,
    reference: { name: `requests with lists of ${BATCH}`, values: plain },
    goal: { of: 'ratio', bound: GOAL },
  };
}

function listsOf(persons: number): string[][] {
  const lists: string[][] = [];
  for (let from = 0; from < persons; from += BATCH) {
    const length = Math.min(BATCH, persons - from);
    lists.push(Array.from({ length }, (_, i) => `${PERSON}${from + i}`));
  }
  return lists;
}

function target(url: string, bodies: readonly string[]): Target {
  const request = (body: string): LoadRequest => {
    return { method: 'POST', path: '/ldpath/batch', body, expect: { status: 200 } };
  };
  return { url, requests: bodies.map(request) };
}

/** Throws unless the response has a result for every person. */
async function requireWhole(url: string, body: string, persons: number): Promise<void> {
  const response = await fetch(`${url}/ldpath/batch`, { method: 'POST', body });
  let end = Buffer.alloc(0);
  for await (const chunk of response.body!) end = Buffer.from(Buffer.concat([end, chunk]).subarray(-300));
  const complete = `{"done":true,"count":${persons},"errors":0,`;
  if (!end.includes(complete)) throw new Error(`The set is not complete: ${end}`);
}
