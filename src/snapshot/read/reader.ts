import type { QuadCursor } from '../../rdf/model/quad-cursor.ts';
import type { IriPatterns } from '../../rdf/model/resources/iri-patterns.ts';
import { NO_TERM, type TermId } from '../../rdf/model/term-id.ts';
import type { SnapshotDescriptor } from '../descriptor.ts';
import { Dictionary } from '../dictionary/dictionary.ts';
import { graphIds, graphSize } from '../graphs/sizes.ts';
import { SYSTEM_GRAPH_ID } from '../graphs/system-graph.ts';
import { MergedScan } from '../runs/merged-scan.ts';
import { BY_OBJECT, BY_SUBJECT } from '../runs/order.ts';
import { Runs } from '../runs/runs.ts';
import { AllQuadsCursor, GraphCursor, TermCursor } from './cursors.ts';
import { LongSearches } from './long-searches.ts';
import { SubjectCursor, type SubjectRange } from './subject-cursor.ts';
import { predicateCount, SnapshotView } from './view.ts';
import { VisibleGraphs } from './visible-graphs.ts';

/**
 * Views of one snapshot that are kept; each takes a few kilobytes, or about half a megabyte if it
 * has met many graphs and terms.
 */
const MAX_VIEWS = 256;
/** After this many hidden quads a search for a visible one pauses first, and then each time. */
const FEW_HIDDEN = 256;
const MANY_HIDDEN = 16_384;

/**
 * One consistent version of the store, read in place. Every thread may open one; opening takes
 * about a microsecond. As a `PathGraph` it is the union of all graphs except the system graph.
 *
 * A reader for a client that may not read all graphs (`visibleTo`) shows no quad of the others, nor
 * of the server's own, whatever is asked; only `registry`, which is for the server itself, is
 * complete.
 */
export class SnapshotReader extends SnapshotView {
  /** Number of the last commit that the snapshot contains. */
  readonly sequence: number;
  /** Number of quads in all graphs, including the system graph. */
  readonly quadCount: number;
  readonly #runs: Runs;
  readonly #descriptor: SnapshotDescriptor;
  readonly #visible: VisibleGraphs | undefined;
  readonly #longSearches = new LongSearches();
  #registry: SnapshotView | undefined;
  #views: Map<string, SnapshotReader> | undefined;

  /** `patterns`: of the names of the graphs that are shown; by default all are. */
  constructor(descriptor: SnapshotDescriptor, patterns?: IriPatterns) {
    const runs = new Runs(descriptor);
    const dictionary = new Dictionary(descriptor.dictionary);
    const visible = patterns && new VisibleGraphs(dictionary, patterns);
    super(dictionary, runs, { filter: visible });
    this.#runs = runs;
    this.#descriptor = descriptor;
    this.#visible = visible;
    this.sequence = descriptor.sequence;
    this.quadCount = descriptor.quadCount;
  }

  /** Returns a reader of the graphs whose names match; without patterns this one. */
  visibleTo(patterns: IriPatterns | undefined): SnapshotReader {
    if (patterns === undefined) return this;
    this.#views ??= new Map();
    const known = this.#views.get(patterns.key);
    if (known) return known;
    if (this.#views.size >= MAX_VIEWS) this.#views.clear();
    const view = new SnapshotReader(this.#descriptor, patterns);
    this.#views.set(patterns.key, view);
    return view;
  }

  /**
   * Returns the id of the term whose canonical N-Triples form is `bytes[from .. to)`; 0 if there is
   * none.
   */
  findBytes(bytes: Uint8Array, from: number, to: number): TermId {
    return this.terms.findBytes(bytes, from, to);
  }

  hasQuad(subject: TermId, predicate: TermId, object: TermId, graph: TermId): boolean {
    if (subject <= 0 || predicate <= 0 || object <= 0) return false;
    if (this.#isHidden(graph)) return false;
    const { base, deltas, log } = this.#runs;
    let weight = base.has(subject, predicate, object, graph) ? 1 : 0;
    for (const run of deltas) weight += run.weight(subject, predicate, object, graph);
    if (log.count > 0) weight += log.weight(subject, predicate, object, graph);
    return weight > 0;
  }

  /** Returns the graphs that contain the triple, ascending, without the system graph. */
  graphsOf(subject: TermId, predicate: TermId, object: TermId): TermId[] {
    if (subject <= 0 || predicate <= 0 || object <= 0) return [];
    const scan = this.#runs.scan.start(BY_SUBJECT, subject, predicate, object);
    const graphs: TermId[] = [];
    while (scan.next()) if (this.sees(scan.d)) graphs.push(scan.d);
    return graphs;
  }

  /** A view of the system graph, which no other view shows. */
  get registry(): SnapshotView {
    this.#registry ??= new SnapshotView(this.terms, this.#runs, { set: new Set([SYSTEM_GRAPH_ID]) });
    return this.#registry;
  }

  override shown(id: TermId): TermId {
    if (this.#visible === undefined || id === NO_TERM) return id;
    return this.mentions(id) ? id : NO_TERM;
  }

  /**
   * Whether a quad has the term. If the reader hides graphs, the first question about a term may
   * read all quads with it.
   */
  override mentions(id: TermId): boolean {
    if (this.#visible === undefined) return super.mentions(id);
    return this.#longSearches.result(id, (term) => this.mentionSearch(term));
  }

  /**
   * Looks for a visible quad with the term as its subject or object, and returns whether there is
   * one. It pauses after many hidden ones, since nothing bounds their number.
   */
  *mentionSearch(term: TermId): Generator<void, boolean> {
    for (const order of [BY_SUBJECT, BY_OBJECT] as const) {
      const scan = this.#newScan(order, term, 0);
      for (let rows = 1; scan.next(); rows++) {
        if (this.sees(scan.d)) return true;
        if (rows === FEW_HIDDEN || rows % MANY_HIDDEN === 0) yield;
      }
    }
    return false;
  }

  /**
   * Returns the quads of a subject, and of a predicate unless that is 0, without those of the
   * system graph.
   */
  subjectCursor(subject: TermId, predicate: TermId = 0): QuadCursor {
    return new TermCursor(this, this.#newScan(BY_SUBJECT, subject, predicate), true);
  }

  /**
   * Returns the quads of an object, and of a predicate unless that is 0, without those of the
   * system graph.
   */
  objectCursor(object: TermId, predicate: TermId = 0): QuadCursor {
    return new TermCursor(this, this.#newScan(BY_OBJECT, object, predicate), false);
  }

  #newScan(order: 0 | 1, term: TermId, predicate: TermId): MergedScan {
    const scan = new MergedScan(this.#runs);
    return term > 0 ? scan.start(order, term, predicate) : scan;
  }

  /** Returns the quads of one graph, in subject order. */
  graphCursor(graph: TermId): QuadCursor {
    return new GraphCursor(this.terms, this.#runs, this.#readable(graph));
  }

  /**
   * Returns all quads that the reader shows, in the order s, p, o, g; a complete reader includes
   * those of the system graph.
   */
  allQuads(): QuadCursor {
    return this.isRestricted ? this.visibleQuads() : new AllQuadsCursor(this.terms, this.#runs);
  }

  /** Returns the quads of the graphs that the reader shows, in the order s, p, o, g. */
  visibleQuads(): QuadCursor {
    return new TermCursor(this, new MergedScan(this.#runs).start(BY_SUBJECT, 0), true);
  }

  /** Whether it shows some graphs only. */
  get isRestricted(): boolean {
    return this.#visible !== undefined;
  }

  /**
   * Returns the number of quads with the predicate, without those of the system graph; 0 if the
   * reader hides graphs, where nothing counts as a predicate (see `isPredicate`).
   */
  predicateCount(predicate: TermId): number {
    return this.isRestricted ? 0 : predicateCount(this.#runs, predicate);
  }

  /** Returns the subjects of a range of quads from an id on, which is at least 1. */
  subjectsFrom(range: SubjectRange, from: TermId): SubjectCursor {
    return new SubjectCursor(new MergedScan(this.#runs), this, { range, from });
  }

  /** Returns the number of quads in one graph. */
  graphSize(graph: TermId): number {
    return graphSize(this.#runs, this.#readable(graph));
  }

  /**
   * Returns the graphs that have quads, ascending. The system graph is included unless the reader
   * hides graphs.
   */
  graphs(): TermId[] {
    const graphs = graphIds(this.#runs);
    return this.#visible ? graphs.filter((graph) => this.sees(graph)) : graphs;
  }

  #readable(graph: TermId): TermId {
    return this.#isHidden(graph) ? NO_TERM : graph;
  }

  /** A complete reader also gives the server the system graph, by its id. */
  #isHidden(graph: TermId): boolean {
    return this.#visible !== undefined && !this.sees(graph);
  }
}

export function openSnapshot(descriptor: SnapshotDescriptor): SnapshotReader {
  return new SnapshotReader(descriptor);
}
