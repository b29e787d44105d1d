/**
 * In the system graph: number of the commit that last took something from a resource by its own name:
 * `<X> <urn:x-pathpool:removed> "sequence"`, in base 36. By it a description that is made anew differs from the one that was
 * there before, even where both say the same (http-api G-72). What is taken from a graph as a whole is noted in its row.
 */
import { formatTerm, iri, literal, parseTerm } from '../graph/term.ts';
import { NO_TERM, type TermId } from '../graph/term-id.ts';
import type { Changes } from '../snapshot/changes.ts';
import { joinedRows } from '../snapshot/joined-rows.ts';
import type { PlanBasis } from '../snapshot/plan.ts';
import { QuadSet } from '../snapshot/quad-set.ts';
import type { SnapshotReader } from '../snapshot/reader.ts';
import { SYSTEM_GRAPH_ID } from '../snapshot/system-graph.ts';
import { LDP_GRAPH, ldpEntry } from './ldp-books.ts';
import type { Operation } from './transaction.ts';

export const REMOVED = '<urn:x-pathpool:removed>';

/** The number of the commit that is noted for a resource; 0 for none. */
export function lastRemoval(reader: SnapshotReader, id: TermId): number {
  const row = rowOf(reader, id);
  return row === undefined ? 0 : Number.parseInt(parseTerm(reader.text(row)).value, 36);
}

/** The changes of an operation, and the notes that come with what it removes. `sequence`: of its commit. */
export function withMarks(
  basis: PlanBasis,
  operation: Operation,
  changes: Changes,
  sequence: number,
): Changes {
  const reader = basis.reader();
  const marked = markedBy(reader, operation, changes.removals);
  if (marked.length === 0) return changes;
  const additions = new QuadSet();
  const removals = new QuadSet();
  const predicate = basis.dictionary.internText(REMOVED);
  const number = basis.dictionary.internText(formatTerm(literal(sequence.toString(36))));
  for (const id of marked) {
    const before = rowOf(reader, id);
    // Of several operations of one commit the first has made the note.
    if (before === number) continue;
    if (before !== undefined) removals.add(id, predicate, before, SYSTEM_GRAPH_ID);
    additions.add(id, predicate, number, SYSTEM_GRAPH_ID);
  }
  return {
    additions: joinedRows([changes.additions, additions.rows()]),
    removals: joinedRows([changes.removals, removals.rows()]),
  };
}

/** The resources that an operation takes something from by their names. */
function markedBy(reader: SnapshotReader, operation: Operation, removals: Uint32Array): TermId[] {
  if (removals.length === 0) return [];
  switch (operation.kind) {
    case 'undescribe':
    case 'describe':
      return [reader.find(formatTerm(iri(operation.resource)))];
    case 'content':
      return operation.content ? [] : [reader.find(formatTerm(iri(operation.resource)))];
    case 'erase':
      return subjectsOf(reader, removals, () => true);
    default:
      return 'target' in operation ? othersInLdpGraph(reader, removals) : [];
  }
}

/** Resources of the LDP space have a row that tells their state; here are those that only membership triples speak of. */
function othersInLdpGraph(reader: SnapshotReader, removals: Uint32Array): TermId[] {
  const managed = reader.find(formatTerm(iri(LDP_GRAPH)));
  const subjects = subjectsOf(reader, removals, (graph) => graph === managed);
  return subjects.filter((id) => ldpEntry(reader, reader.text(id).slice(1, -1)) === undefined);
}

/** Those that are IRIs: blank nodes never come back. */
function subjectsOf(
  reader: SnapshotReader,
  quads: Uint32Array,
  counts: (graph: TermId) => boolean,
): TermId[] {
  const subjects = new Set<TermId>();
  for (let i = 0; i < quads.length; i += 4) {
    if (counts(quads[i + 3]!)) subjects.add(quads[i]!);
  }
  return [...subjects].filter((id) => reader.text(id).startsWith('<'));
}

function rowOf(reader: SnapshotReader, id: TermId): TermId | undefined {
  if (id === NO_TERM) return undefined;
  const found: TermId[] = [];
  reader.books.objects(id, reader.find(REMOVED), found);
  return found[0];
}
