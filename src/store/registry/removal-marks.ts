/**
 * For each resource, the system graph records the number of the commit that last removed triples by
 * the resource's own name: `<X> <urn:x-pathpool:removed> "sequence"`, in base 36. It distinguishes
 * a description that is created again from the earlier one, even if both have the same triples
 * (http-api G-72). Triples removed from a graph as a whole are recorded in the graph's row.
 */

import { ldpEntry } from '../../ldp/registry.ts';
import { formatTerm, iri, literal, parseTerm } from '../../rdf/model/term.ts';
import { NO_TERM, type TermId } from '../../rdf/model/term-id.ts';
import { LDP_GRAPH, SYSTEM_GRAPH_ID } from '../../snapshot/graphs/system-graph.ts';
import type { SnapshotReader } from '../../snapshot/read/reader.ts';
import { joinedRows } from '../../snapshot/runs/joined-rows.ts';
import { QuadSet } from '../../snapshot/runs/quad-set.ts';
import type { PlanBasis } from '../../snapshot/write/change-plan.ts';
import type { Changes } from '../../snapshot/write/changes.ts';
import type { Operation } from '../main/transaction.ts';

export const REMOVED = '<urn:x-pathpool:removed>';

/** Returns the recorded commit number of a resource; 0 if there is none. */
export function lastRemoval(reader: SnapshotReader, id: TermId): number {
  const row = rowOf(reader, id);
  return row === undefined ? 0 : Number.parseInt(parseTerm(reader.text(row)).value, 36);
}

/**
 * Returns the changes of an operation together with the marks for the triples that it removes.
 * `sequence`: number of the commit.
 */
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
    // An earlier operation of the same commit has already written the mark.
    if (before === number) continue;
    if (before !== undefined) removals.add(id, predicate, before, SYSTEM_GRAPH_ID);
    additions.add(id, predicate, number, SYSTEM_GRAPH_ID);
  }
  return {
    additions: joinedRows([changes.additions, additions.rows()]),
    removals: joinedRows([changes.removals, removals.rows()]),
  };
}

/** Returns the resources from which an operation removes triples by their names. */
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

/**
 * LDP resources have a row with their state; this returns the other resources, which occur only in
 * membership triples.
 */
function othersInLdpGraph(reader: SnapshotReader, removals: Uint32Array): TermId[] {
  const managed = reader.find(formatTerm(iri(LDP_GRAPH)));
  const subjects = subjectsOf(reader, removals, (graph) => graph === managed);
  return subjects.filter((id) => ldpEntry(reader, reader.text(id).slice(1, -1)) === undefined);
}

/** Returns only the subjects that are IRIs: a removed blank node is never created again. */
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
  reader.registry.objects(id, reader.find(REMOVED), found);
  return found[0];
}
