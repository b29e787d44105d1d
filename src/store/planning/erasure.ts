import type { QuadCursor } from '../../rdf/model/quad-cursor.ts';
import { NO_TERM, type TermId } from '../../rdf/model/term-id.ts';
import type { SnapshotReader } from '../../snapshot/read/reader.ts';
import { QuadSet } from '../../snapshot/runs/quad-set.ts';
import type { PlanBasis } from '../../snapshot/write/change-plan.ts';
import type { Changes } from '../../snapshot/write/changes.ts';
import { ProtectedGraphs } from '../graphs/protected-graphs.ts';
import { unreachableBlankNodes } from '../graphs/unreachable-blank-nodes.ts';
import { addBookRows } from './registry-rows.ts';

/**
 * Removes all quads with the resource as subject, predicate or object, the graph of its name, its
 * registry rows, and blank nodes that are no longer reachable (http-api R-35).
 */
export function planErasure(
  basis: PlanBasis,
  { resource, protectedSpace }: { readonly resource: string; readonly protectedSpace: string },
): Changes {
  const reader = basis.reader();
  const id = reader.find(`<${resource}>`);
  const removed = new Removals(reader, protectedSpace);
  if (id !== NO_TERM) {
    removed.addAll(reader.subjectCursor(id));
    removed.addAll(reader.objectCursor(id));
    removed.addAll(reader.graphCursor(id));
    if (reader.isPredicate(id)) removed.addAll(reader.allQuads(), id);
  }
  for (const blank of unreachableBlankNodes(reader, removed.quads)) {
    removed.addAll(reader.subjectCursor(blank));
  }
  addBookRows(basis, resource, removed.quads);
  return { additions: new Uint32Array(0), removals: removed.quads.rows() };
}

class Removals {
  readonly quads = new QuadSet();
  readonly #protected: ProtectedGraphs;

  constructor(reader: SnapshotReader, protectedSpace: string) {
    this.#protected = new ProtectedGraphs(reader, protectedSpace);
  }

  /** `onlyPredicate`: adds only quads with this predicate. */
  addAll(cursor: QuadCursor, onlyPredicate?: TermId): void {
    while (cursor.next()) {
      const { subject, predicate, object, graph } = cursor;
      if (onlyPredicate !== undefined && predicate !== onlyPredicate) continue;
      if (this.#protected.has(graph)) continue;
      this.quads.add(subject, predicate, object, graph);
    }
  }
}
