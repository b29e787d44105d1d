import type { TermId } from '../../rdf/model/term-id.ts';
import { isBlank } from '../../snapshot/read/description.ts';
import type { SnapshotReader } from '../../snapshot/read/reader.ts';
import type { QuadSet } from '../../snapshot/runs/quad-set.ts';

/**
 * Returns the blank nodes that become unreachable when quads are removed, including those in
 * cycles: those reachable from the objects of the removed quads, except for nodes that remaining
 * quads refer to from elsewhere, and the nodes reachable from these.
 */
export function unreachableBlankNodes(reader: SnapshotReader, removed: QuadSet): Iterable<TermId> {
  const suspects = reachedFrom(reader, blankObjects(reader, removed), removed);
  const alive = [...suspects].filter((node) => isReferredTo(reader, node, suspects, removed));
  for (const node of reachedFrom(reader, alive, removed)) suspects.delete(node);
  return suspects;
}

function blankObjects(reader: SnapshotReader, removed: QuadSet): Set<TermId> {
  const found = new Set<TermId>();
  const rows = removed.rows();
  for (let i = 2; i < rows.length; i += 4) if (isBlank(reader.terms, rows[i]!)) found.add(rows[i]!);
  return found;
}

/**
 * Returns the given blank nodes, and those reachable from them through blank nodes by quads that
 * remain.
 */
function reachedFrom(reader: SnapshotReader, from: Iterable<TermId>, removed: QuadSet): Set<TermId> {
  const reached = new Set(from);
  // The iteration over a set includes values that are added meanwhile.
  for (const node of reached) {
    const quads = reader.subjectCursor(node);
    while (quads.next()) {
      const { subject, predicate, object, graph } = quads;
      if (isBlank(reader.terms, object) && !removed.has(subject, predicate, object, graph))
        reached.add(object);
    }
  }
  return reached;
}

/** Whether a remaining quad has the node as object, and a subject that is not a suspect. */
function isReferredTo(
  reader: SnapshotReader,
  node: TermId,
  suspects: ReadonlySet<TermId>,
  removed: QuadSet,
): boolean {
  const quads = reader.objectCursor(node);
  while (quads.next()) {
    const { subject, predicate, object, graph } = quads;
    if (!suspects.has(subject) && !removed.has(subject, predicate, object, graph)) return true;
  }
  return false;
}
