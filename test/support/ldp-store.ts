import assert from 'node:assert/strict';
import type { InteractionModel, MembershipConfiguration } from '../../src/ldp/model/kinds.ts';
import { ldp } from '../../src/ldp/model/vocabulary.ts';
import { ldpEntry } from '../../src/ldp/registry.ts';
import type { LdpOperation } from '../../src/ldp/store/operation.ts';
import { LDP_GRAPH } from '../../src/snapshot/graphs/system-graph.ts';
import { openSnapshot } from '../../src/snapshot/read/reader.ts';
import type { StoredContent } from '../../src/store/registry/resource-registry.ts';
import type { Store } from '../../src/store/thread/store.ts';
import { SimDisk } from '../simulation/sim-disk.ts';
import { blockOf } from './blocks.ts';
import { commit, contentOf, openOn } from './stores.ts';

export const ROOT = 'http://base/ldp';

export interface Creation {
  readonly model?: InteractionModel;
  readonly configuration?: MembershipConfiguration;
  /** User triples as N-Triples. */
  readonly body?: string;
  readonly content?: StoredContent;
  readonly ancestors?: boolean;
}

export function create(target: string, creation: Creation = {}): LdpOperation {
  const { model = 'rdf-source', configuration = null, body = '', ancestors = false, content } = creation;
  const block = blockOf(body);
  return {
    kind: 'ldp-create',
    target,
    model: content ? 'binary' : model,
    configuration,
    block,
    content: content ?? null,
    ancestors,
  };
}

export function replaceLdp(target: string, body: string): LdpOperation {
  return { kind: 'ldp-replace', target, block: blockOf(body) };
}

export function editLdp(target: string, additions: string, removals: string): LdpOperation {
  return { kind: 'ldp-edit', target, additions: blockOf(additions), removals: blockOf(removals) };
}

export function bytes(digit: string, contentType = 'image/png', length = 3): StoredContent {
  return { contentType, bytes: length, digest: digit.repeat(64), modified: 1_760_000_000_000 };
}

/** Members by `ldp:member`, unless something else is said. */
export function membership(
  membershipResource: string,
  others: Partial<MembershipConfiguration> = {},
): MembershipConfiguration {
  const relation = ldp.member;
  return { membershipResource, relation, inverse: false, insertedContentRelation: null, ...others };
}

/** A store with nothing but the root container. */
export async function ldpStore(disk = new SimDisk({ seed: 1 })): Promise<Store> {
  const store = await openOn(disk);
  await commit(store, { kind: 'ldp-root', target: ROOT, label: 'Root' });
  return store;
}

/** Commits one operation. Returns the error code if it is rejected. */
export async function attempt(store: Store, operation: LdpOperation): Promise<string> {
  const { results } = await store.commit([{ preconditions: [], operations: [operation] }]);
  const [result] = results;
  assert.ok(result);
  return result.ok ? 'done' : result.error.code;
}

export function entryOf(store: Store, uri: string) {
  return ldpEntry(openSnapshot(store.opened().snapshot), uri);
}

/** Number of the commit that changed the representation of a live resource last. */
export function sequenceOf(store: Store, uri: string): number {
  const entry = entryOf(store, uri);
  assert.ok(entry && entry !== 'gone', `${uri} is not there`);
  return entry.sequence;
}

/** The managed triples, without those with certain predicates (full IRIs), sorted. */
export function managed(store: Store, ...without: string[]): string[] {
  const end = ` <${LDP_GRAPH}> .`;
  return contentOf(store)
    .filter((line) => line.endsWith(end) && !without.some((predicate) => line.includes(`> <${predicate}> `)))
    .map((line) => line.slice(0, -end.length))
    .sort();
}

/** The triples of a graph, sorted. */
export function triplesIn(store: Store, graph: string): string[] {
  const end = ` <${graph}> .`;
  return contentOf(store)
    .filter((line) => line.endsWith(end))
    .map((line) => line.slice(0, -end.length));
}

export function graphNames(store: Store): string[] {
  return store.opened().graphs.map(([name]) => name);
}

/**
 * Lines of quads as Oxigraph writes them: it keeps dates by value, and writes no zeros at the end
 * of a fraction.
 */
export function asOxigraphWrites(lines: readonly string[]): string[] {
  return lines
    .map((line) =>
      line.replace(/\.(\d*?)0*Z"\^\^/, (_, digits: string) => (digits === '' ? 'Z"^^' : `.${digits}Z"^^`)),
    )
    .sort();
}
