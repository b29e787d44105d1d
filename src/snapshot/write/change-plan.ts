import { graphTermOf } from '../../rdf/model/graph-name.ts';
import type { QuadBlock } from '../../rdf/model/quad-block.ts';
import { NO_TERM } from '../../rdf/model/term-id.ts';
import type { PlanDictionary } from '../dictionary/planned-terms.ts';
import type { SnapshotReader } from '../read/reader.ts';
import { joinedRows } from '../runs/joined-rows.ts';
import { QuadSet } from '../runs/quad-set.ts';
import type { Changes } from './changes.ts';
import { type GraphChoice, Payload } from './commit-payload.ts';
import type { GraphOperation, UpdateOperation } from './graph-operation.ts';

/** The input of planning: a state of the store, and the dictionary to which new terms are added. */
export interface PlanBasis {
  readonly dictionary: PlanDictionary;
  reader(): SnapshotReader;
  /**
   * Called regularly with the number of quads of a payload that have been processed; may throw to
   * end the planning.
   */
  onProgress?(quads: number): void;
}

/** Number of quads between two calls of `onProgress`. */
const PROGRESS_QUADS = 8192;

const nothing = new Uint32Array(0);
/** For payloads whose quads all name their graphs. */
const named: GraphChoice = { graph: '', always: false };

/*
 * The effective changes of an operation. Each of these functions reads the writer's working state
 * and interns the terms of effective additions, in the order subject, predicate, object, graph,
 * quad by quad; nothing else is modified until `SnapshotWriter.apply`. `blankPrefix` is the
 * beginning of the labels of fresh blank nodes (without `_:`); the rest of a label is a number in
 * base 36, in the order of first use. The prefix must never have been used before.
 */

export function planGraphOperation(
  basis: PlanBasis,
  operation: GraphOperation,
  blankPrefix: string,
): Changes {
  switch (operation.kind) {
    case 'merge':
      return planMerge(basis, operation.graph, operation.block, blankPrefix);
    case 'load':
      return planLoad(basis, operation.defaultGraph, operation.block, blankPrefix);
    case 'replace':
      return planReplace(basis, operation.graph, operation.block, blankPrefix);
    case 'drop':
      return planDrop(basis, operation.graph);
    case 'edit':
      return planEdit(basis, operation.graph, operation, blankPrefix);
    case 'update':
      return planUpdate(basis, operation, blankPrefix);
  }
}

/** Adds the triples of the block to one graph, ignoring the graphs that the block names. */
export function planMerge(basis: PlanBasis, graph: string, block: QuadBlock, blankPrefix: string): Changes {
  return planAdditions(basis, { graph, always: true }, block, blankPrefix);
}

/**
 * Adds the quads of the block to the graphs that it names, those without a graph to `defaultGraph`.
 */
export function planLoad(
  basis: PlanBasis,
  defaultGraph: string,
  block: QuadBlock,
  blankPrefix: string,
): Changes {
  return planAdditions(basis, { graph: defaultGraph, always: false }, block, blankPrefix);
}

function planAdditions(
  basis: PlanBasis,
  choice: GraphChoice,
  block: QuadBlock,
  blankPrefix: string,
): Changes {
  const payload = new Payload(block, basis.dictionary, choice, blankPrefix);
  return { additions: collectAdditions(basis, payload).rows(), removals: nothing };
}

/** Afterwards the graph has exactly the triples of the block. */
export function planReplace(basis: PlanBasis, graph: string, block: QuadBlock, blankPrefix: string): Changes {
  const payload = new Payload(block, basis.dictionary, { graph, always: true }, blankPrefix);
  const kept = new QuadSet();
  const additions = collectAdditions(basis, payload, kept).rows();
  return { additions, removals: graphRows(basis, [graph], kept) };
}

/** Removes all triples of the graph. */
export function planDrop(basis: PlanBasis, graph: string): Changes {
  return { additions: nothing, removals: graphRows(basis, [graph]) };
}

/**
 * Removes the triples of `removals` from one graph, then adds those of `additions`, ignoring the
 * graphs that they name.
 */
export function planEdit(
  basis: PlanBasis,
  graph: string,
  { additions, removals }: Pick<UpdateOperation, 'additions' | 'removals'>,
  blankPrefix: string,
): Changes {
  const choice = { graph, always: true };
  const kept = new QuadSet();
  const added = collectAdditions(basis, new Payload(additions, basis.dictionary, choice, blankPrefix), kept);
  const removed = collectRemovals(basis, new Payload(removals, basis.dictionary, choice, ''), kept);
  return { additions: added.rows(), removals: removed.rows() };
}

/** Returns the removals and additions of an update of several graphs. */
export function planUpdate(
  basis: PlanBasis,
  { cleared, additions, removals }: UpdateOperation,
  blankPrefix: string,
): Changes {
  const { dictionary } = basis;
  const kept = new QuadSet();
  const added = collectAdditions(basis, new Payload(additions, dictionary, named, blankPrefix), kept);
  const removed = collectRemovals(basis, new Payload(removals, dictionary, named, ''), kept);
  const rest = graphRows(basis, cleared, kept, removed);
  return { additions: added.rows(), removals: joinedRows([removed.rows(), rest]) };
}

/** Returns the quads of the payload that the store lacks; puts those that it has into `kept`. */
function collectAdditions(basis: PlanBasis, payload: Payload, kept?: QuadSet): QuadSet {
  const reader = basis.reader();
  const added = new QuadSet();
  const { quads } = payload;
  for (let i = 0; i < quads.length; i += 4) {
    if (i % (4 * PROGRESS_QUADS) === 0) basis.onProgress?.(i / 4);
    const s = payload.known(quads[i]!);
    const p = payload.known(quads[i + 1]!);
    const o = payload.known(quads[i + 2]!);
    const g = payload.knownGraph(quads[i + 3]!);
    if (s === NO_TERM || p === NO_TERM || o === NO_TERM || g === NO_TERM) {
      addNew(added, payload, i);
    } else if (reader.hasQuad(s, p, o, g)) {
      kept?.add(s, p, o, g);
    } else {
      added.add(s, p, o, g);
    }
  }
  return added;
}

/** Adds a quad with a term that is new to the dictionary. */
function addNew(added: QuadSet, payload: Payload, i: number): void {
  const { quads } = payload;
  const s = payload.intern(quads[i]!);
  const p = payload.intern(quads[i + 1]!);
  const o = payload.intern(quads[i + 2]!);
  added.add(s, p, o, payload.internGraph(quads[i + 3]!));
}

/** Returns the quads of the payload that the store has and that are not in `kept`. */
function collectRemovals(basis: PlanBasis, payload: Payload, kept: QuadSet): QuadSet {
  const reader = basis.reader();
  const removed = new QuadSet();
  const { quads } = payload;
  for (let i = 0; i < quads.length; i += 4) {
    if (i % (4 * PROGRESS_QUADS) === 0) basis.onProgress?.(i / 4);
    const s = payload.known(quads[i]!);
    const p = payload.known(quads[i + 1]!);
    const o = payload.known(quads[i + 2]!);
    const g = payload.knownGraph(quads[i + 3]!);
    if (reader.hasQuad(s, p, o, g) && !kept.has(s, p, o, g)) removed.add(s, p, o, g);
  }
  return removed;
}

/** Returns the quads of the graphs, except those in `kept` and those in `taken`. */
function graphRows(
  basis: PlanBasis,
  graphs: readonly string[],
  kept?: QuadSet,
  taken?: QuadSet,
): Uint32Array {
  const ids = graphs
    .map((graph) => basis.dictionary.findText(graphTermOf(graph)))
    .filter((id) => id !== NO_TERM);
  if (ids.length === 0) return nothing;
  const reader = basis.reader();
  const size = ids.reduce((sum, id) => sum + reader.graphSize(id), 0);
  const rows = new Uint32Array(4 * size);
  let at = 0;
  for (const id of ids) {
    const cursor = reader.graphCursor(id);
    while (cursor.next()) {
      const { subject, predicate, object } = cursor;
      if (kept?.has(subject, predicate, object, id) || taken?.has(subject, predicate, object, id)) continue;
      rows[at++] = subject;
      rows[at++] = predicate;
      rows[at++] = object;
      rows[at++] = id;
    }
  }
  return rows.subarray(0, at);
}
