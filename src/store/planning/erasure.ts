import { type GraphAccess, maySee, visiblePatterns } from '../../base/graph-access.ts';
import type { QuadCursor } from '../../rdf/model/quad-cursor.ts';
import { NO_TERM, type TermId } from '../../rdf/model/term-id.ts';
import { QuadSet } from '../../snapshot/runs/quad-set.ts';
import type { PlanBasis } from '../../snapshot/write/change-plan.ts';
import type { Changes } from '../../snapshot/write/changes.ts';
import { ProtectedGraphs } from '../graphs/protected-graphs.ts';
import { unreachableBlankNodes } from '../graphs/unreachable-blank-nodes.ts';
import { addBookRows } from './registry-rows.ts';
import { WritableGraphs } from './writable-graphs.ts';

interface Erased {
  readonly resource: string;
  readonly keep: boolean;
  readonly protectedSpace: string;
  readonly access?: GraphAccess;
}

/**
 * Removes all quads with the resource as subject, predicate or object, the graph of its name, its
 * registry rows, and blank nodes that are no longer reachable (http-api R-35); of all that, what
 * the client sees (G-161). `isGraph`: whether there is a graph of that name, maybe empty.
 */
export function planErasure(
  basis: PlanBasis,
  { resource, keep, protectedSpace, access }: Erased,
  isGraph: boolean,
): Changes {
  const complete = basis.reader();
  const reader = complete.visibleTo(visiblePatterns({ access }));
  const id = reader.find(`<${resource}>`);
  const writable = new WritableGraphs(reader, access);
  if (isGraph && !keep) writable.requireName(resource);
  const removed = new Removals(new ProtectedGraphs(reader, protectedSpace), writable);
  if (id !== NO_TERM) {
    removed.addAll(reader.subjectCursor(id));
    removed.addAll(reader.objectCursor(id));
    removed.addAll(reader.graphCursor(id));
    if (complete.isPredicate(id)) removed.addAll(reader.visibleQuads(), id);
  }
  for (const blank of unreachableBlankNodes(reader, removed.quads)) {
    removed.addAll(reader.subjectCursor(blank));
  }
  if (maySee({ access }, resource)) eraseBookRows(basis, resource, removed.quads, writable);
  return { additions: new Uint32Array(0), removals: removed.quads.rows() };
}

function eraseBookRows(basis: PlanBasis, resource: string, into: QuadSet, writable: WritableGraphs): void {
  const { size } = into;
  addBookRows(basis, resource, into);
  if (into.size > size) writable.requireName(resource);
}

class Removals {
  readonly quads = new QuadSet();
  readonly #protected: ProtectedGraphs;
  readonly #writable: WritableGraphs;

  constructor(protectedGraphs: ProtectedGraphs, writable: WritableGraphs) {
    this.#protected = protectedGraphs;
    this.#writable = writable;
  }

  /** `onlyPredicate`: adds only quads with this predicate. */
  addAll(cursor: QuadCursor, onlyPredicate?: TermId): void {
    while (cursor.next()) {
      const { subject, predicate, object, graph } = cursor;
      if (onlyPredicate !== undefined && predicate !== onlyPredicate) continue;
      if (this.#protected.has(graph)) continue;
      this.#writable.require(graph);
      this.quads.add(subject, predicate, object, graph);
    }
  }
}
