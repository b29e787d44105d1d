import { NO_TERM, type TermId } from '../../rdf/model/term-id.ts';
import { SYSTEM_GRAPH_ID } from '../../snapshot/graphs/system-graph.ts';
import { QuadSet } from '../../snapshot/runs/quad-set.ts';
import type { PlanBasis } from '../../snapshot/write/change-plan.ts';
import { type Changes, noChanges } from '../../snapshot/write/changes.ts';
import {
  contentOf,
  contentPredicates,
  contentRows,
  REGISTERED,
  type StoredContent,
} from '../registry/resource-registry.ts';

const none = new Uint32Array(0);

/** Adds a resource to the registry of existing resources. It must not be in it yet. */
export function planRegistration({ dictionary }: PlanBasis, resource: string): Changes {
  const subject = dictionary.internText(`<${resource}>`);
  const predicate = dictionary.internText(REGISTERED.predicate);
  const object = dictionary.internText(REGISTERED.object);
  return { additions: Uint32Array.of(subject, predicate, object, SYSTEM_GRAPH_ID), removals: none };
}

/**
 * Replaces the content of a resource; content that stays the same is left unchanged (http-api
 * G-72). `sequence`: number of the commit.
 */
export function planContent(
  basis: PlanBasis,
  resource: string,
  content: StoredContent | null,
  sequence: number,
): Changes {
  const { dictionary } = basis;
  const reader = basis.reader();
  const before = contentOf(reader, reader.find(`<${resource}>`));
  if (content && before && isSame(content, before)) return noChanges;
  const wanted = new QuadSet();
  for (const [predicate, object] of content ? contentRows({ ...content, sequence }) : []) {
    const subject = dictionary.internText(`<${resource}>`);
    wanted.add(subject, dictionary.internText(predicate), dictionary.internText(object), SYSTEM_GRAPH_ID);
  }
  const present = new QuadSet();
  addContentRows(basis, resource, present);
  return { additions: difference(wanted, present), removals: difference(present, wanted) };
}

/** Content is the same if its bytes and its type are. */
export function isSame(a: StoredContent, b: StoredContent): boolean {
  return a.digest === b.digest && a.contentType === b.contentType;
}

function addContentRows(basis: PlanBasis, resource: string, into: QuadSet): void {
  const reader = basis.reader();
  const subject = reader.find(`<${resource}>`);
  const objects: TermId[] = [];
  for (const text of contentPredicates) {
    const predicate = reader.find(text);
    objects.length = 0;
    reader.registry.objects(subject, predicate, objects);
    for (const object of objects) into.add(subject, predicate, object, SYSTEM_GRAPH_ID);
  }
}

/** Adds all registry rows of a resource. */
export function addBookRows(basis: PlanBasis, resource: string, into: QuadSet): void {
  addContentRows(basis, resource, into);
  const reader = basis.reader();
  const row = [`<${resource}>`, REGISTERED.predicate, REGISTERED.object].map((text) => reader.find(text));
  const [subject = NO_TERM, predicate = NO_TERM, object = NO_TERM] = row;
  if (reader.hasQuad(subject, predicate, object, SYSTEM_GRAPH_ID)) {
    into.add(subject, predicate, object, SYSTEM_GRAPH_ID);
  }
}

function difference(quads: QuadSet, without: QuadSet): Uint32Array {
  const left = new QuadSet();
  const rows = quads.rows();
  for (let i = 0; i < rows.length; i += 4) {
    const [s, p, o, g] = rows.subarray(i, i + 4) as unknown as [TermId, TermId, TermId, TermId];
    if (!without.has(s, p, o, g)) left.add(s, p, o, g);
  }
  return left.rows();
}
