import { AppError, type ErrorData, fromErrorData } from '../../errors.ts';
import type { UnfoldingBudget } from '../../rdf/formats/unfolding-budget.ts';
import { graphNameOf, graphTermOf } from '../../rdf/model/graph-name.ts';
import { matchesPatterns } from '../../rdf/model/resources/iri-patterns.ts';
import { NO_TERM, type TermId } from '../../rdf/model/term-id.ts';
import { OverlayDictionary, OverlayTerms } from '../../snapshot/dictionary/overlay.ts';
import { SYSTEM_GRAPH_ID } from '../../snapshot/graphs/system-graph.ts';
import type { SnapshotReader } from '../../snapshot/read/reader.ts';
import { QuadSet } from '../../snapshot/runs/quad-set.ts';
import { protection } from '../../store/graphs/protected-graphs.ts';
import type { SeenGraph } from '../../store/main/transaction.ts';
import type { SparqlEffects, UpdateRequest, UpdateSettings } from '../request.ts';
import { rowBlock } from './changed-rows.ts';
import { RowIndex } from './row-index.ts';

/** The data that an update changes: those of a snapshot, or a substitute. */
export type StoredData = Pick<
  SnapshotReader,
  | 'sequence'
  | 'terms'
  | 'find'
  | 'text'
  | 'mentions'
  | 'hasQuad'
  | 'graphsOf'
  | 'graphs'
  | 'graphCursor'
  | 'graphSize'
>;

/** The part of a request that the effects of operations depend on, besides these. */
export type UpdateContext = Pick<UpdateRequest, 'emptyGraphs' | 'settings' | 'visible'>;

/** Observes changes of quads. */
export interface DataWatcher {
  note(subject: TermId, predicate: TermId, object: TermId, graph: TermId): void;
}

/** The state of a graph after the operations so far. */
interface UpdatedGraph {
  readonly name: string;
  readonly existed: boolean;
  /** The error for clients that change it; undefined if they may. */
  readonly protection: ErrorData | undefined;
  exists: boolean;
  /** Whether it was emptied, so that its quads in the snapshot no longer count. */
  cleared: boolean;
  /**
   * Incremented when the graph is emptied: marks of its quads from earlier epochs no longer count.
   */
  epoch: number;
}

const ADDED = 1;
const REMOVED = 2;
const FIRST_MARKS = 256;

export function tooManyChanges(most: number): AppError {
  return new AppError('too-large', `An update can change at most ${most} triples. Nothing was changed.`);
}

/**
 * The data after the operations of an update so far: the stored data and the changes. Terms are
 * snapshot ids, and provisional ids for terms that the snapshot does not have.
 */
export class UpdatedData {
  readonly reader: StoredData;
  readonly settings: UpdateSettings;
  /** Collects the new terms of the update. */
  readonly terms: OverlayDictionary;
  readonly #rows = new QuadSet();
  readonly #index = new RowIndex(this.#rows);
  /** For each row: `ADDED` or `REMOVED`, plus four times the epoch of its graph. */
  #marks = new Uint32Array(FIRST_MARKS);
  readonly #graphs = new Map<TermId, UpdatedGraph>();
  /** Graphs with added or removed quads. */
  readonly #marked = new Set<TermId>();
  /** Graphs with added quads. */
  readonly #grown = new Set<TermId>();
  readonly #emptyGraphs: ReadonlySet<string>;
  /** Whether the client may read the default graph, which always exists. */
  readonly #seesDefault: boolean;
  /** Observes all later changes. */
  watcher: DataWatcher | undefined;
  readonly #unchanged = new Map<string, SeenGraph>();
  /** Budget for looking up triples in all graphs. */
  readonly #work: UnfoldingBudget | undefined;

  constructor(reader: StoredData, { emptyGraphs, settings, visible }: UpdateContext, work?: UnfoldingBudget) {
    this.#work = work;
    this.reader = reader;
    this.settings = settings;
    this.terms = new OverlayDictionary(reader.terms);
    this.#emptyGraphs = new Set(emptyGraphs);
    this.#seesDefault = !visible || matchesPatterns(visible, settings.defaultGraph);
  }

  graphId(name: string): TermId {
    const id = this.terms.internText(graphTermOf(name));
    if (!this.#graphs.has(id)) this.#graphs.set(id, this.#untouched(id, name));
    return id;
  }

  graphName(id: TermId): string {
    return this.#graph(id).name;
  }

  exists(graph: TermId): boolean {
    return this.#graph(graph).exists;
  }

  /** Whether a graph still has exactly its quads in the snapshot. */
  isUntouched(graph: TermId): boolean {
    return !this.#graph(graph).cleared && !this.#marked.has(graph);
  }

  has(subject: TermId, predicate: TermId, object: TermId, graph: TermId): boolean {
    const row = this.#rows.row(subject, predicate, object, graph);
    const { cleared, epoch } = this.#graph(graph);
    if (row >= 0 && this.#marks[row]! >> 2 === epoch) return (this.#marks[row]! & ADDED) !== 0;
    return !cleared && this.reader.hasQuad(subject, predicate, object, graph);
  }

  /** Returns the graphs that contain a triple. */
  graphsWith(subject: TermId, predicate: TermId, object: TermId): TermId[] {
    const stored = this.reader.graphsOf(subject, predicate, object);
    if (this.#graphs.size === 0) return stored;
    const added = this.#grown.size > 0 ? this.#index.graphsOf(subject, predicate, object) : [];
    this.#work?.spend(stored.length + added.length + 1);
    return [...new Set([...stored, ...added])].filter((graph) => this.has(subject, predicate, object, graph));
  }

  /** Error `too-large`. */
  add(subject: TermId, predicate: TermId, object: TermId, graph: TermId): void {
    this.watcher?.note(subject, predicate, object, graph);
    this.#mark(ADDED, this.#rowOf(subject, predicate, object, graph), graph);
    this.#graph(graph).exists = true;
    this.#grown.add(graph);
  }

  /** Error `too-large`. */
  remove(subject: TermId, predicate: TermId, object: TermId, graph: TermId): void {
    this.watcher?.note(subject, predicate, object, graph);
    this.#mark(REMOVED, this.#rowOf(subject, predicate, object, graph), graph);
  }

  clear(graph: TermId): void {
    const updated = this.#graph(graph);
    if (this.watcher) this.#tell(this.watcher, this.quadsOf(graph));
    updated.cleared = true;
    updated.epoch++;
  }

  create(graph: TermId): void {
    this.#graph(graph).exists = true;
  }

  /** Drops a graph. The default graph is only emptied. */
  drop(graph: TermId): void {
    this.clear(graph);
    const updated = this.#graph(graph);
    updated.exists = updated.name === this.settings.defaultGraph && this.#seesDefault;
  }

  /** Records that the effects are correct only while this graph is as it is now. */
  dependOn(graph: string): void {
    if (this.#unchanged.has(graph)) return;
    const id = this.reader.find(graphTermOf(graph));
    const existed = this.#emptyGraphs.has(graph) || (id !== NO_TERM && this.reader.graphSize(id) > 0);
    this.#unchanged.set(graph, { graph, existed });
  }

  /** Returns the quads of a graph, as rows of four ids. */
  quadsOf(graph: TermId): Uint32Array {
    const found = new QuadSet();
    const cursor = this.reader.graphCursor(graph);
    while (!this.#graph(graph).cleared && cursor.next()) {
      const { subject, predicate, object } = cursor;
      if (this.has(subject, predicate, object, graph)) found.add(subject, predicate, object, graph);
    }
    if (!this.#grown.has(graph)) return found.rows();
    for (const number of this.#index.ofGraph(graph)) {
      if (!this.#isMarked(ADDED, number, graph)) continue;
      const [subject, predicate, object] = this.#rows.at(number);
      found.add(subject, predicate, object, graph);
    }
    return found.rows();
  }

  /** Returns all graphs that exist and that clients may write. */
  writableGraphs(): TermId[] {
    for (const id of this.reader.graphs()) if (id !== SYSTEM_GRAPH_ID) this.#graph(id);
    for (const name of [...this.#emptyGraphs, this.settings.defaultGraph]) this.graphId(name);
    const writable = [...this.#graphs].filter(([, graph]) => graph.exists && !graph.protection);
    return writable.map(([id]) => id);
  }

  /** Throws `server-managed` and `ldp-managed` for graphs that clients must not change. */
  effects(): SparqlEffects {
    const terms = new OverlayTerms(this.reader.terms, this.terms.added());
    const graphs = [...this.#graphs.values()];
    const cleared = graphs.filter((graph) => graph.cleared);
    const created = graphs.filter(({ exists, existed }) => exists && !existed);
    for (const graph of [...cleared, ...created]) if (graph.protection) throw fromErrorData(graph.protection);
    const marked = Array.from(this.#marked, (id) => this.graphName(id));
    return {
      sequence: this.reader.sequence,
      cleared: cleared.map(({ name }) => name),
      removals: rowBlock(this.#markedRows(REMOVED), terms),
      additions: rowBlock(this.#markedRows(ADDED), terms),
      created: created.map(({ name }) => name),
      dropped: cleared.filter(({ exists }) => !exists).map(({ name }) => name),
      changed: [...new Set([...marked, ...[...cleared, ...created].map(({ name }) => name)])],
      unchanged: [...this.#unchanged.values()],
    };
  }

  #tell(watcher: DataWatcher, rows: Uint32Array): void {
    for (let at = 0; at < rows.length; at += 4) {
      watcher.note(rows[at]!, rows[at + 1]!, rows[at + 2]!, rows[at + 3]!);
    }
  }

  #graph(id: TermId): UpdatedGraph {
    const known = this.#graphs.get(id);
    if (known) return known;
    const graph = this.#untouched(id, graphNameOf(this.reader.text(id)));
    this.#graphs.set(id, graph);
    return graph;
  }

  #untouched(id: TermId, name: string): UpdatedGraph {
    const { defaultGraph, ldpSpace } = this.settings;
    const existed =
      (name === defaultGraph && this.#seesDefault) ||
      this.#emptyGraphs.has(name) ||
      (this.#isStored(id) && this.reader.graphSize(id) > 0);
    return {
      name,
      existed,
      protection: protection(name, ldpSpace),
      exists: existed,
      cleared: false,
      epoch: 0,
    };
  }

  #isStored(id: TermId): boolean {
    return id !== NO_TERM && id <= this.reader.terms.termCount;
  }

  /** Returns the row number of a quad, and adds a row if it has none. */
  #rowOf(subject: TermId, predicate: TermId, object: TermId, graph: TermId): number {
    this.#rows.add(subject, predicate, object, graph);
    return this.#rows.row(subject, predicate, object, graph);
  }

  #mark(mark: number, row: number, graph: TermId): void {
    const { maxChanges } = this.settings;
    if (row >= maxChanges) throw tooManyChanges(maxChanges);
    if (row >= this.#marks.length) {
      const grown = new Uint32Array(2 * this.#marks.length);
      grown.set(this.#marks);
      this.#marks = grown;
    }
    this.#marked.add(graph);
    this.#marks[row] = (this.#graph(graph).epoch << 2) | mark;
  }

  #isMarked(mark: number, row: number, graph: TermId): boolean {
    return this.#marks[row] === ((this.#graph(graph).epoch << 2) | mark);
  }

  /** Returns the rows with a valid mark, except rows in protected graphs that change nothing. */
  #markedRows(mark: number): Uint32Array {
    const rows = this.#rows.rows();
    let length = 0;
    for (let at = 0; at < rows.length; at += 4) {
      const graph = rows[at + 3]!;
      if (!this.#isMarked(mark, at / 4, graph) || !this.#mayCount(mark, rows, at)) continue;
      rows.copyWithin(length, at, at + 4);
      length += 4;
    }
    return rows.subarray(0, length);
  }

  /**
   * Returns false if the row changes nothing in a protected graph; throws if it changes something.
   */
  #mayCount(mark: number, rows: Uint32Array, at: number): boolean {
    const { protection: error, cleared } = this.#graph(rows[at + 3]!);
    if (mark === REMOVED && cleared) return false;
    if (!error) return true;
    const isThere = this.reader.hasQuad(rows[at]!, rows[at + 1]!, rows[at + 2]!, rows[at + 3]!);
    if (isThere !== (mark === REMOVED)) return false;
    throw fromErrorData(error);
  }
}
