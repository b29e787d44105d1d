import { NO_TERM, type TermId } from '../graph/term-id.ts';
import type { Changes } from '../snapshot/changes.ts';
import type { PlanBasis } from '../snapshot/plan.ts';
import { QuadSet } from '../snapshot/quad-set.ts';
import { SYSTEM_GRAPH_ID } from '../snapshot/system-graph.ts';
import { planDescription } from './plan-description.ts';
import { planErasure } from './plan-erasure.ts';
import { contentPredicates, contentRows, REGISTERED, type StoredContent } from './resource-books.ts';
import type { ResourceOperation } from './resource-operation.ts';

/** What an operation on a resource does, and how many triples of its block it did not take. */
export interface ResourcePlan {
  readonly changes: Changes;
  readonly ignored: number;
}

/** See `plan.ts` of the snapshot. `existed`: whether the resource exists before the operation. */
export function planResource(
  basis: PlanBasis,
  operation: ResourceOperation,
  existed: boolean,
  blankPrefix: string,
): ResourcePlan {
  switch (operation.kind) {
    case 'register':
      return { changes: existed ? nothing : register(basis, operation.resource), ignored: 0 };
    case 'describe': {
      const plan = planDescription(basis, operation, operation.block, blankPrefix);
      if (existed || plan.changes.additions.length > 0) return plan;
      return { ...plan, changes: register(basis, operation.resource) };
    }
    case 'undescribe':
      return planDescription(basis, operation, undefined, blankPrefix);
    case 'content':
      return { changes: replaceContent(basis, operation.resource, operation.content), ignored: 0 };
    case 'erase':
      return { changes: planErasure(basis, operation), ignored: 0 };
  }
}

const none = new Uint32Array(0);
const nothing: Changes = { additions: none, removals: none };

function register({ dictionary }: PlanBasis, resource: string): Changes {
  const subject = dictionary.internText(`<${resource}>`);
  const predicate = dictionary.internText(REGISTERED.predicate);
  const object = dictionary.internText(REGISTERED.object);
  return { additions: Uint32Array.of(subject, predicate, object, SYSTEM_GRAPH_ID), removals: none };
}

function replaceContent(basis: PlanBasis, resource: string, content: StoredContent | null): Changes {
  const { dictionary } = basis;
  const wanted = new QuadSet();
  for (const [predicate, object] of content ? contentRows(content) : []) {
    const subject = dictionary.internText(`<${resource}>`);
    wanted.add(subject, dictionary.internText(predicate), dictionary.internText(object), SYSTEM_GRAPH_ID);
  }
  const present = new QuadSet();
  addContentRows(basis, resource, present);
  return { additions: difference(wanted, present), removals: difference(present, wanted) };
}

function addContentRows(basis: PlanBasis, resource: string, into: QuadSet): void {
  const reader = basis.reader();
  const subject = reader.find(`<${resource}>`);
  const objects: TermId[] = [];
  for (const text of contentPredicates) {
    const predicate = reader.find(text);
    objects.length = 0;
    reader.books.objects(subject, predicate, objects);
    for (const object of objects) into.add(subject, predicate, object, SYSTEM_GRAPH_ID);
  }
}

/** The rows of a register about a resource, for `planErasure`. */
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
