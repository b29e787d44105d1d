import assert from 'node:assert/strict';
import { updateTransaction } from '../../src/services/sparql/update-transaction.ts';
import { openSnapshot } from '../../src/snapshot/read/reader.ts';
import { dataEffects } from '../../src/sparql/effects/data-update.ts';
import type { SparqlEffects, UpdateRequest, UpdateSettings } from '../../src/sparql/request.ts';
import type { Store } from '../../src/store/thread/store.ts';

export const base = 'http://x';
export const defaultGraph = `${base}/context/default`;
export const settings: UpdateSettings = {
  defaultGraphIs: 'union',
  defaultGraph,
  ldpSpace: `${base}/ldp`,
  maxChanges: 1_000_000,
};

/** An update as the service passes it on. */
export function requestOf(text: string, store: Store, more: Partial<UpdateRequest> = {}): UpdateRequest {
  const empty = store.opened().graphs.filter(([, info]) => info?.size === 0);
  return {
    text,
    baseIri: `${base}/`,
    dataset: undefined,
    settings,
    emptyGraphs: empty.map(([name]) => name),
    ...more,
  };
}

/** Returns the effects of an update without a pattern. */
export function effectsOf(store: Store, text: string, given = settings): SparqlEffects {
  const effects = dataEffects(openSnapshot(store.snapshot), requestOf(text, store, { settings: given }));
  assert.ok(effects);
  return effects;
}

/** Commits effects, which must succeed, and returns the numbers of added and removed triples. */
export async function commitEffects(store: Store, effects: SparqlEffects) {
  const { results } = await store.commit([updateTransaction(effects)]);
  const [result] = results;
  assert.ok(result?.ok, JSON.stringify(result));
  const [{ added, removed } = { added: 0, removed: 0 }] = result.value.outcomes;
  return { added, removed };
}

export async function update(store: Store, text: string, given = settings) {
  return commitEffects(store, effectsOf(store, text, given));
}

/** Returns the names of the graphs that exist. */
export function graphsOf(store: Store): string[] {
  return store
    .opened()
    .graphs.map(([name]) => name)
    .sort();
}
