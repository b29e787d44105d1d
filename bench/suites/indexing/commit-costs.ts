/** What followers of stored programs add to a commit. */
import { setTimeout as wait } from 'node:timers/promises';
import { EX, GRAPH, PERSON } from '../../data/person-data.ts';
import { type LoadRequest, NUMBER } from '../../load/request.ts';
import { processSeconds } from '../../measure/processor-time.ts';
import { median } from '../../measure/statistics.ts';
import type { Figure, Outcome } from '../../report/figure.ts';
import { requireGood, type Stage } from '../../stage.ts';
import { eventsOf } from './event-reader.ts';
import { STORED_PROGRAM, storeProgram } from './stored-program.ts';

const FOLLOWERS = [0, 1, 10, 100];
/** Commits a second: well below what the server can take. */
const PER_SECOND = 100;
const SETTLE_MS = 500;

export async function commitCosts(stage: Stage): Promise<Outcome> {
  const { url, started } = await stage.server();
  const figures: Figure[] = [];
  const base: number[] = [];
  for (const count of FOLLOWERS) {
    const aborting = new AbortController();
    const following = await follow(url, count, aborting.signal);
    await wait(SETTLE_MS);
    const latency: number[] = [];
    const cost: number[] = [];
    for (let round = 0; round < stage.options.rounds; round++) {
      const before = processSeconds(started.pid) ?? Number.NaN;
      const load = { url, requests: [commitRequest()] };
      const result = requireGood(await stage.open(load, PER_SECOND), 'commits');
      latency.push(result.latency.p50);
      const used = (processSeconds(started.pid) ?? Number.NaN) - before;
      cost.push((used * 1000) / (PER_SECOND * stage.options.seconds));
    }
    aborting.abort();
    await Promise.all(following);
    if (count === 0) base.push(...cost);
    figures.push({
      id: `indexing.commit.${count}`,
      name: `processor time of the server for a commit of one triple, ${count} stored programs followed`,
      unit: 'ms',
      better: 'less',
      values: cost,
      ...(count > 0 && { reference: { name: 'none followed', values: base } }),
      details: { p50Ms: median(latency) },
    });
  }
  return { figures };
}

/** Follows as many programs, each with a field of its own, and reads what comes. */
async function follow(url: string, count: number, signal: AbortSignal): Promise<Promise<void>[]> {
  const reading: Promise<void>[] = [];
  for (let i = 0; i < count; i++) {
    await storeProgram(url, `followed-${i}`, `${STORED_PROGRAM}own${i} = foaf:name ;\n`);
    const events = eventsOf(`${url}/ldpath/programs/followed-${i}/changes`, signal);
    await events.next();
    reading.push(drain(events));
  }
  return reading;
}

async function drain(events: AsyncGenerator<object>): Promise<void> {
  for await (const _ of events);
}

/** Adds a triple that concerns the result of one person, another one each time. */
function commitRequest(): LoadRequest {
  return {
    method: 'POST',
    path: `/context?graph=${encodeURIComponent(GRAPH)}`,
    headers: { 'Content-Type': 'application/n-triples' },
    body: `<${PERSON}${NUMBER}> <${EX}age> "7" .`,
    expect: { status: 200 },
  };
}
