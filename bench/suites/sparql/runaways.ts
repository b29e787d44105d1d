/**
 * Queries without end beside paths, a stream of writes, and light queries: who is held up, and for
 * how long?
 */
import { setTimeout as wait } from 'node:timers/promises';
import { pathRequests } from '../../data/person-requests.ts';
import { runawayQueries } from '../../data/sparql-queries.ts';
import type { LoadResult } from '../../load/load.ts';
import { NUMBER } from '../../load/request.ts';
import { median } from '../../measure/statistics.ts';
import type { Figure } from '../../report/figure.ts';
import type { Stage } from '../../stage.ts';
import { untilAnswered } from './endpoints.ts';

const PATHS_A_SECOND = 500;
const SECONDS = 8;
const RUNAWAYS = 6;
const WRITE_PAUSE_MS = 20;
/** Times as long as alone, at p99. */
const PATH_GOAL = 3;
/** Milliseconds until the first light query after the runaways is answered. */
const AFTER_GOAL = 500;

export async function runawayFigures(stage: Stage, url: string): Promise<Figure[]> {
  const paths = { url, requests: pathRequests(stage.options.persons, 5).slice(0, 1_000) };
  const slice = () => stage.open(paths, PATHS_A_SECOND, Math.max(SECONDS, stage.options.seconds));
  await slice();
  const alone: LoadResult[] = [];
  const beside: LoadResult[] = [];
  const after: number[] = [];
  const statuses = new Map<number, number>();
  for (let round = 0; round < stage.heavyRounds; round++) {
    alone.push(await slice());
    const crowd = new RunawayQueries(url, round, statuses);
    const writes = new WriteStream(url);
    beside.push(await slice());
    await crowd.end();
    after.push(await untilAnswered(stage, url));
    await writes.end();
  }
  const failures = beside.reduce((sum, each) => sum + each.failures, 0);
  const answers = [...statuses].map(([status, count]) => `${count} times ${status}`).join(', ');
  const p99 = (results: readonly LoadResult[]) => results.map(({ latency }) => latency.p99);
  const p50 = (results: readonly LoadResult[]) =>
    median(results.map(({ latency }) => latency.p50)).toFixed(2);
  return [
    {
      id: 'sparql.runaways',
      name: `p99 of ${PATHS_A_SECOND} paths a second beside ${RUNAWAYS} SPARQL queries without end and a stream of writes`,
      unit: 'ms',
      better: 'less',
      values: p99(beside),
      reference: { name: 'alone', values: p99(alone) },
      goal: { of: 'ratio', bound: PATH_GOAL },
      note: `${failures} failures of paths; the runaways were answered ${answers}; p50 ${p50(beside)}, alone ${p50(alone)} ms`,
    },
    {
      id: 'sparql.after',
      name: 'first light SPARQL query after them',
      unit: 'ms',
      better: 'less',
      values: after,
      goal: { of: 'value', bound: AFTER_GOAL },
    },
  ];
}

/** As many runaways as there are kinds, each sent again when it has its answer. */
class RunawayQueries {
  readonly #url: string;
  readonly #statuses: Map<number, number>;
  readonly #senders: readonly Promise<void>[];
  #isEnding = false;

  constructor(url: string, round: number, statuses: Map<number, number>) {
    this.#url = url;
    this.#statuses = statuses;
    this.#senders = Array.from({ length: RUNAWAYS }, (_, kind) => this.#send(kind, round));
  }

  /** Resolves when the last has its answer. */
  async end(): Promise<void> {
    this.#isEnding = true;
    await Promise.all(this.#senders);
  }

  async #send(kind: number, round: number): Promise<void> {
    for (let turn = 0; !this.#isEnding; turn++) {
      const number = String(round * 1_000 + turn);
      const query = runawayQueries[kind % runawayQueries.length]!.replaceAll(NUMBER, number);
      const response = await fetch(`${this.#url}/sparql?query=${encodeURIComponent(query)}`);
      await response.text();
      const { status } = response;
      this.#statuses.set(status, (this.#statuses.get(status) ?? 0) + 1);
      // A refusal comes at once.
      if (status !== 504) await wait(WRITE_PAUSE_MS);
    }
  }
}

/** Small writes one after another, each of which the SPARQL instances have to follow. */
class WriteStream {
  readonly #sent: Promise<void>;
  #isEnding = false;

  constructor(url: string) {
    this.#sent = this.#send(url);
  }

  async end(): Promise<void> {
    this.#isEnding = true;
    await this.#sent;
  }

  async #send(url: string): Promise<void> {
    const headers = { 'Content-Type': 'application/n-triples' };
    for (let number = 0; !this.#isEnding; number++) {
      const body = `<urn:x:w${number}> <urn:x:p> "${number}" .`;
      const response = await fetch(`${url}/context?graph=urn:x:writes`, { method: 'POST', headers, body });
      await response.arrayBuffer();
      if (!response.ok) throw new Error(`A write was answered ${response.status}`);
      await wait(WRITE_PAUSE_MS);
    }
  }
}
