import type { TestContext } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { Result } from '../../../src/errors.ts';
import type { TaskMap } from '../../../src/pool/tasks/map.ts';
import type { ThreadKill } from '../../../src/pool/threads/kill.ts';
import { SparqlPool, type SparqlPoolOptions } from '../../../src/sparql/main/pool.ts';
import type { SparqlSettings } from '../../../src/sparql/main/settings.ts';
import type { SparqlQuery, SparqlResult } from '../../../src/sparql/request.ts';
import { StoreClient } from '../../../src/store/main/client.ts';
import { blockOf } from '../../support/blocks.ts';

const defaults: SparqlSettings = {
  threads: 2,
  timeMs: 60_000,
  quickMs: 60_000,
  waitMs: 60_000,
  stallMs: 60_000,
  idleMs: 60_000,
  queue: 64,
  maxBytes: 512 * 1024 * 1024,
  resultBytes: 1024 * 1024,
  defaultGraphIs: 'union',
  defaultGraph: 'http://base/context/default',
  unnamedGraph: 'urn:x-pathpool:ldp-managed',
  heapMegabytes: 512,
};

export interface Fixture {
  readonly store: StoreClient;
  readonly pool: SparqlPool;
  readonly kills: ThreadKill[];
  /** Stores triples in a graph. */
  readonly add: (ntriples: string, graph?: string) => Promise<void>;
}

/** Starts a pool of real threads over a real store in memory. */
export async function sparqlPool(
  t: TestContext,
  settings: Partial<SparqlSettings> = {},
  replaced: Partial<SparqlPoolOptions> = {},
): Promise<Fixture> {
  const store = await StoreClient.open({
    directory: null,
    journalMax: 2 ** 30,
    dataMax: 2 ** 31,
    recover: false,
    notice: () => {},
  });
  const kills: ThreadKill[] = [];
  const pool = new SparqlPool({
    settings: { ...defaults, ...settings },
    snapshot: () => store.snapshot,
    changeFeed: store.changeFeed,
    onKill: (kill) => kills.push(kill),
    onInternalError: (error) => console.error(error),
    ...replaced,
  });
  t.after(async () => {
    await pool.close(0);
    await store.close();
  });
  const add = async (ntriples: string, graph = 'urn:x:g') => {
    const block = blockOf(ntriples);
    const { ok } = await store.commit({ preconditions: [], operations: [{ kind: 'merge', graph, block }] });
    if (!ok) throw new Error('The triples could not be stored.');
  };
  return { store, pool, kills, add };
}

export function query(text: string, given: Partial<SparqlQuery> = {}): SparqlQuery {
  const mediaType = 'text/tab-separated-values';
  return { text, baseIri: 'http://base/', dataset: undefined, mediaType, ...given };
}

/** Resolves with the text of a result, or with the code of an error. */
export async function resultOf(asked: Promise<Result<SparqlResult>>): Promise<string> {
  const result = await asked;
  return result.ok ? Buffer.from(result.value.body).toString() : result.error.code;
}

/** Returns the tasks of a pool, as they are listed. */
export function tasksOf(pool: SparqlPool): TaskMap[] {
  return Array.from(pool.liveTasks(), (task) => task.show());
}

/** Resolves with the first task that fulfils a condition. */
export async function taskThat(pool: SparqlPool, is: (task: TaskMap) => boolean): Promise<TaskMap> {
  for (;;) {
    const task = tasksOf(pool).find(is);
    if (task) return task;
    await turn();
  }
}

/** A query that runs for hours. */
export const RUNAWAY = 'SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l . ?m ?n1 ?o }';
export const LIGHT = 'SELECT ?o { <urn:s1> <urn:p> ?o }';

/** Enough triples for `RUNAWAY`. */
export function someTriples(count = 300): string {
  return Array.from({ length: count }, (_, i) => `<urn:s${i}> <urn:p> "${i}" .\n`).join('');
}

/** Triples whose literals Oxigraph respells. */
export function respelledTriples(count: number): string {
  const literal = (i: number) => `"00${i}"^^<http://www.w3.org/2001/XMLSchema#integer>`;
  return Array.from({ length: count }, (_, i) => `<urn:s${i}> <urn:p> ${literal(i)} .\n`).join('');
}
