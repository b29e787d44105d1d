import type { TermId } from '../graph/term-id.ts';
import { isBlank } from '../snapshot/description.ts';
import type { QuadSet } from '../snapshot/quad-set.ts';
import type { SnapshotReader } from '../snapshot/reader.ts';

/**
 * The blank nodes that lose their last way in when quads are removed, those in rings included: what is reached from the
 * objects of the removed quads, less what something else that stays refers to, and what is reached from that.
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

/** The blank nodes given, and all that are reached from them over blank nodes by quads that stay. */
function reachedFrom(reader: SnapshotReader, from: Iterable<TermId>, removed: QuadSet): Set<TermId> {
  const reached = new Set(from);
  // A set's iteration goes on to what is added meanwhile.
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

/** Whether a quad that stays has the node as object, and a subject that is none of the suspects. */
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
