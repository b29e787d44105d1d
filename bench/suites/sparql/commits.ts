/**
 * Small writes while SPARQL follows them: what do they cost, and does each query see all that were
 * acknowledged?
 */
import { setTimeout as wait } from 'node:timers/promises';
import { quantile } from '../../measure/statistics.ts';
import type { Figure } from '../../report/figure.ts';
import { requireGood, type Stage } from '../../stage.ts';
import { smallWrites } from '../durability.ts';

const QUERY_PAUSE_MS = 50;

export async function commitFigures(stage: Stage, url: string): Promise<Figure[]> {
  const target = { url, requests: smallWrites() };
  const rate = async () => requireGood(await stage.closed(target), 'writes').requestsPerSecond;
  await rate();
  const without: number[] = [];
  const beside: number[] = [];
  const queries: number[] = [];
  for (let round = 0; round < stage.heavyRounds; round++) {
    without.push(await rate());
    const reader = new Reader(url);
    beside.push(await rate());
    queries.push(...(await reader.end()));
  }
  return [
    {
      id: 'sparql.commits',
      name: `acknowledged writes of one triple beside a SPARQL query every ${QUERY_PAUSE_MS} ms, ${stage.options.connections} connections`,
      unit: 'writes/s',
      better: 'more',
      values: beside,
      reference: { name: 'without queries', values: without },
    },
    {
      id: 'sparql.fresh',
      name: 'a write and the query that sees it, beside them, p99',
      unit: 'ms',
      better: 'less',
      values: [quantile(queries, 0.99)],
      note: `${queries.length} times; p50 ${quantile(queries, 0.5).toFixed(1)} ms`,
    },
  ];
}

/** Writes a triple and asks for it, again and again. */
class Reader {
  readonly #url: string;
  readonly #asked: Promise<number[]>;
  #isEnding = false;

  constructor(url: string) {
    this.#url = url;
    this.#asked = this.#ask();
  }

  /** Milliseconds of all writes and queries. */
  end(): Promise<number[]> {
    this.#isEnding = true;
    return this.#asked;
  }

  async #ask(): Promise<number[]> {
    const times: number[] = [];
    while (!this.#isEnding) {
      const begin = performance.now();
      const triple = `<urn:x:reader> <urn:x:p> "${begin}"`;
      const headers = { 'Content-Type': 'application/n-triples' };
      await fetch(`${this.#url}/context?graph=urn:x:reader`, {
        method: 'POST',
        headers,
        body: `${triple} .`,
      });
      const query = encodeURIComponent(`ASK { ${triple} }`);
      const answer = await (await fetch(`${this.#url}/sparql?query=${query}`)).text();
      if (!answer.includes('true')) throw new Error(`A query did not see the write before it: ${answer}`);
      times.push(performance.now() - begin);
      await wait(QUERY_PAUSE_MS);
    }
    return times;
  }
}
