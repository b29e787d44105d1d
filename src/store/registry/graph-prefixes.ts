/**
 * The prefixes that uploads to a graph declared: `<G> <urn:x-pathpool:prefixes> "…"` in the system
 * graph, with the text of `DeclaredPrefixes`. A row is written only together with a change of the
 * graph's triples, so it needs no state of its own (http-api G-56).
 */

import { mayWrite } from '../../base/graph-access.ts';
import { descriptionOf } from '../../ldp/model/names.ts';
import { graphNameOf } from '../../rdf/model/graph-name.ts';
import { namedGraphs } from '../../rdf/model/named-graphs.ts';
import { mergedPrefixes } from '../../rdf/model/names/declared-prefixes.ts';
import { formatTerm, iri, literal, parseTerm } from '../../rdf/model/term.ts';
import { NO_TERM, type TermId } from '../../rdf/model/term-id.ts';
import { SYSTEM_GRAPH_ID } from '../../snapshot/graphs/system-graph.ts';
import type { SnapshotReader } from '../../snapshot/read/reader.ts';
import { joinedRows } from '../../snapshot/runs/joined-rows.ts';
import type { PlanBasis } from '../../snapshot/write/change-plan.ts';
import { type Changes, isEmpty } from '../../snapshot/write/changes.ts';
import type { UpdateOperation } from '../../snapshot/write/graph-operation.ts';
import type { Operation } from '../main/transaction.ts';
import { type DatasetScope, isInDataset } from './dataset-state.ts';

export const PREFIXES = '<urn:x-pathpool:prefixes>';

/**
 * The most characters of merged prefixes that one operation writes. An upload to many graphs could
 * otherwise make the store grow by far more than its own size.
 */
const MAX_MERGED = 1024 * 1024;
/** The most graphs whose prefixes a document of several graphs has. */
const MAX_GRAPHS = 1000;

/** Returns the prefixes of a graph as the text of `DeclaredPrefixes`; empty if it has none. */
export function graphPrefixes(reader: SnapshotReader, graph: string): string {
  const predicate = reader.find(PREFIXES);
  if (predicate === NO_TERM) return '';
  return textOf(reader, rowOf(reader, reader.find(formatTerm(iri(graph))), predicate));
}

/** The same for the data set: where graphs differ, the first one decides. */
export function datasetPrefixes(reader: SnapshotReader, scope: DatasetScope): string {
  const predicate = reader.find(PREFIXES);
  if (predicate === NO_TERM) return '';
  let text = '';
  const seen = new Set<TermId>();
  for (const graph of reader.visibleTo(scope.visible).graphs().slice(0, MAX_GRAPHS)) {
    const row = rowOf(reader, graph, predicate);
    if (row === NO_TERM || seen.has(row)) continue;
    if (!isInDataset(graphNameOf(reader.text(graph)), scope)) continue;
    seen.add(row);
    text = mergedPrefixes(text, textOf(reader, row));
  }
  return text;
}

/** What an operation does to the prefixes of a graph. */
interface PrefixEdit {
  readonly graph: string;
  /** Those that are added, or that replace the others. */
  readonly text: string;
  readonly replaces: boolean;
}

/** Returns the changes of an operation together with those of the prefixes of its graphs. */
export function withPrefixes(basis: PlanBasis, operation: Operation, changes: Changes): Changes {
  const mayHaveRows = basis.dictionary.findText(PREFIXES) !== NO_TERM;
  if (!mayHaveRows && declaredBy(operation) === '') return changes;
  const edits = editsOf(basis, operation, changes);
  if (edits.length === 0) return changes;
  const rows = new PrefixRows(basis);
  for (const edit of edits) rows.edit(edit);
  return rows.addedTo(changes);
}

/** The prefixes that the document of an operation declares. */
function declaredBy(operation: Operation): string {
  if ('block' in operation) return operation.block.prefixes ?? '';
  return 'additions' in operation ? (operation.additions.prefixes ?? '') : '';
}

function editsOf(basis: PlanBasis, operation: Operation, changes: Changes): readonly PrefixEdit[] {
  const text = declaredBy(operation);
  switch (operation.kind) {
    case 'drop':
      return isEmpty(changes) && operation.keep ? [] : [without(operation.graph)];
    case 'erase':
      return mayWrite({ access: operation.access }, operation.resource) ? [without(operation.resource)] : [];
    case 'replace':
      return isEmpty(changes) ? [] : [{ graph: operation.graph, text, replaces: true }];
    case 'merge':
    case 'edit':
      return isEmpty(changes) ? [] : [{ graph: operation.graph, text, replaces: false }];
    case 'load': {
      const graphs = new Set([operation.defaultGraph, ...namedGraphs(operation.block)]);
      const changed = [...graphs].filter(changedBy(basis, changes));
      return changed.map((graph) => ({ graph, text, replaces: false }));
    }
    case 'update':
      return editsOfUpdate(basis, operation, changes);
    case 'ldp-create':
    case 'ldp-replace':
      return isEmpty(changes) ? [] : [{ graph: operation.target, text, replaces: true }];
    case 'ldp-delete':
      return [without(operation.target), without(descriptionOf(operation.target))];
    default:
      return [];
  }
}

function editsOfUpdate(basis: PlanBasis, operation: UpdateOperation, changes: Changes): PrefixEdit[] {
  const { cleared, dropped, additions } = operation;
  const isChanged = changedBy(basis, changes);
  const edits = new Map(dropped.map((graph) => [graph, without(graph)]));
  for (const graph of cleared) if (isChanged(graph)) edits.set(graph, without(graph));
  const text = declaredBy(operation);
  for (const graph of text === '' ? [] : namedGraphs(additions)) {
    if (isChanged(graph)) edits.set(graph, { graph, text, replaces: edits.has(graph) });
  }
  return [...edits.values()];
}

function without(graph: string): PrefixEdit {
  return { graph, text: '', replaces: true };
}

/** Returns a function that tells whether the changes include triples of a graph. */
function changedBy({ dictionary }: PlanBasis, { additions, removals }: Changes): (graph: string) => boolean {
  const changed = new Set<TermId>();
  for (const rows of [additions, removals]) {
    for (let i = 3; i < rows.length; i += 4) if (rows[i] !== rows[i - 4]) changed.add(rows[i]!);
  }
  return (graph) => changed.has(dictionary.findText(formatTerm(iri(graph))));
}

/** Collects the changes of rows, compared with the state before the operation. */
class PrefixRows {
  readonly #basis: PlanBasis;
  readonly #reader: SnapshotReader;
  /** `NO_TERM` if there are no rows yet. */
  readonly #predicate: TermId;
  readonly #additions: TermId[] = [];
  readonly #removals: TermId[] = [];
  /** Merged texts by the row that the graph had before. */
  readonly #merged = new Map<TermId, string>();
  #mergedLength = 0;

  constructor(basis: PlanBasis) {
    this.#basis = basis;
    this.#reader = basis.reader();
    this.#predicate = this.#reader.find(PREFIXES);
  }

  edit({ graph, text, replaces }: PrefixEdit): void {
    const subject = formatTerm(iri(graph));
    const known = this.#predicate === NO_TERM ? NO_TERM : this.#reader.find(subject);
    const row = known === NO_TERM ? NO_TERM : rowOf(this.#reader, known, this.#predicate);
    const wanted = replaces || row === NO_TERM ? text : this.#merge(row, text);
    const object = wanted === '' ? '' : formatTerm(literal(wanted));
    // Most uploads to a graph declare what it already has.
    if (row === NO_TERM ? object === '' : row === this.#reader.find(object)) return;
    if (row !== NO_TERM) this.#removals.push(known, this.#predicate, row, SYSTEM_GRAPH_ID);
    if (object === '') return;
    const ids = [subject, PREFIXES, object].map((term) => this.#basis.dictionary.internText(term));
    this.#additions.push(...ids, SYSTEM_GRAPH_ID);
  }

  /** Returns what the row has if too much was merged already. */
  #merge(row: TermId, text: string): string {
    const known = this.#merged.get(row);
    if (known !== undefined) return known;
    const before = textOf(this.#reader, row);
    if (this.#mergedLength > MAX_MERGED) return before;
    const merged = mergedPrefixes(before, text);
    this.#mergedLength += merged.length;
    this.#merged.set(row, merged);
    return merged;
  }

  addedTo({ additions, removals }: Changes): Changes {
    return { additions: withRows(additions, this.#additions), removals: withRows(removals, this.#removals) };
  }
}

function withRows(rows: Uint32Array, more: readonly TermId[]): Uint32Array {
  return more.length === 0 ? rows : joinedRows([rows, Uint32Array.from(more)]);
}

function rowOf(reader: SnapshotReader, graph: TermId, predicate: TermId): TermId {
  const found: TermId[] = [];
  if (graph !== NO_TERM) reader.registry.objects(graph, predicate, found);
  return found[0] ?? NO_TERM;
}

function textOf(reader: SnapshotReader, row: TermId): string {
  return row === NO_TERM ? '' : parseTerm(reader.text(row)).value;
}
