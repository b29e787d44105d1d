/** From the request of a commit to its event, and to the changed result of a stored program. */
import { EX, GRAPH, PERSON } from '../../data/person-data.ts';
import { Histogram } from '../../measure/histogram.ts';
import type { Outcome } from '../../report/figure.ts';
import type { Stage } from '../../stage.ts';
import { eventsOf } from './event-reader.ts';
import { storeProgram } from './stored-program.ts';

const COMMITS = 500;

export async function feedLatency(stage: Stage): Promise<Outcome> {
  const { url } = await stage.server();
  await storeProgram(url, 'people');
  const commits = await latencies(url, 1000, `${url}/changes`, (data) => 'commit' in data);
  const feed = `${url}/ldpath/programs/people/changes`;
  const results = await latencies(url, 2000, feed, (data) => 'uri' in data);
  return {
    figures: [
      { name: 'commit to its event of /changes', id: 'indexing.latency.changes', histogram: commits },
      { name: 'commit to the changed result', id: 'indexing.latency.results', histogram: results },
    ].map(({ id, name, histogram }) => ({
      id,
      name: `${name}, ${COMMITS} commits of one triple, one after another`,
      unit: 'ms (p50)',
      better: 'less' as const,
      values: [histogram.quantile(0.5) / 1000],
      details: { p99Ms: histogram.quantile(0.99) / 1000, maxMs: histogram.max / 1000 },
      note: `p99 ${(histogram.quantile(0.99) / 1000).toFixed(2)} ms`,
    })),
  };
}

/**
 * In microseconds, from before the request is sent, so the commit itself is part of it. `ages`: the
 * first of those that are added.
 */
async function latencies(
  url: string,
  ages: number,
  feed: string,
  isExpected: (data: object) => boolean,
): Promise<Histogram> {
  const histogram = new Histogram();
  const aborting = new AbortController();
  const events = eventsOf(feed, aborting.signal);
  // The first message says where the stream begins.
  await events.next();
  for (let i = 0; i < COMMITS; i++) {
    const began = performance.now();
    const sent = addAge(url, i, ages + i);
    for (let event = await events.next(); ; event = await events.next()) {
      if (event.done) throw new Error('The stream ended');
      if (isExpected(event.value)) break;
    }
    histogram.record((performance.now() - began) * 1000);
    await sent;
  }
  aborting.abort();
  return histogram;
}

/** Gives a person one more age, which changes one result. */
async function addAge(url: string, person: number, age: number): Promise<void> {
  const response = await fetch(`${url}/context?graph=${encodeURIComponent(GRAPH)}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/n-triples' },
    body: `<${PERSON}${person}> <${EX}age> "${age}" .`,
  });
  if (!response.ok) throw new Error(`POST: ${response.status} ${await response.text()}`);
  await response.body?.cancel();
}
