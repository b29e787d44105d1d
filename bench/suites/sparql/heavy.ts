/**
 * Queries that look at everything, one at a time, each in turn with the same query of another
 * server.
 */
import type { HeavyQuery } from '../../data/sparql-queries.ts';
import type { Figure } from '../../report/figure.ts';
import type { Stage } from '../../stage.ts';
import type { Endpoint, Peer } from './endpoints.ts';

export async function heavyFigure(
  stage: Stage,
  ours: Endpoint,
  peer: Peer,
  query: HeavyQuery,
): Promise<Figure> {
  await timed(ours, query);
  await timed(peer, query);
  const values: number[] = [];
  const references: number[] = [];
  for (let round = 0; round < stage.heavyRounds; round++) {
    references.push(await timed(peer, query));
    values.push(await timed(ours, query));
  }
  return {
    id: `sparql.${query.id}.${peer.id}`,
    name: `${query.name}, one at a time`,
    unit: 'ms',
    better: 'less',
    values,
    reference: { name: peer.name, values: references },
  };
}

/** Milliseconds until the whole answer is there. */
async function timed({ name, url }: Endpoint, { text, accept, contains }: HeavyQuery): Promise<number> {
  const begin = performance.now();
  const response = await fetch(`${url}?query=${encodeURIComponent(text)}`, { headers: { Accept: accept } });
  const body = await response.text();
  const took = performance.now() - begin;
  if (response.status === 200 && body.includes(contains)) return took;
  throw new Error(`${name} answered ${text} with ${response.status}: ${body.slice(0, 200)}`);
}
