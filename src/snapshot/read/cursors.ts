import type { TermBytes } from '../../rdf/model/path-graph.ts';
import type { QuadCursor } from '../../rdf/model/quad-cursor.ts';
import type { TermId } from '../../rdf/model/term-id.ts';
import { MergedScan } from '../runs/merged-scan.ts';
import { BY_GRAPH, BY_SUBJECT } from '../runs/order.ts';
import type { Runs } from '../runs/runs.ts';
import type { SnapshotView } from './view.ts';

/** The quads of one graph, in subject order. */
export class GraphCursor implements QuadCursor {
  readonly terms: TermBytes;
  readonly graph: TermId;
  readonly #scan: MergedScan;

  constructor(terms: TermBytes, runs: Runs, graph: TermId) {
    this.terms = terms;
    this.graph = graph;
    this.#scan = new MergedScan(runs);
    if (graph > 0) this.#scan.start(BY_GRAPH, graph);
  }

  get subject(): TermId {
    return this.#scan.b;
  }

  get predicate(): TermId {
    return this.#scan.c;
  }

  get object(): TermId {
    return this.#scan.d;
  }

  next(): boolean {
    return this.#scan.next();
  }

  read(words: Uint32Array): number {
    return this.#scan.readGraph(words);
  }
}

/**
 * The quads with one subject in the order p, o, g, or with one object in the order p, s, g, with a
 * given predicate, or with all predicates if it is 0. Omits quads that the view does not show.
 */
export class TermCursor implements QuadCursor {
  readonly terms: TermBytes;
  readonly #view: Pick<SnapshotView, 'terms' | 'sees'>;
  readonly #scan: MergedScan;
  readonly #bySubject: boolean;

  /** `scan` is by subject or by object. */
  constructor(view: Pick<SnapshotView, 'terms' | 'sees'>, scan: MergedScan, bySubject: boolean) {
    this.terms = view.terms;
    this.#view = view;
    this.#scan = scan;
    this.#bySubject = bySubject;
  }

  get subject(): TermId {
    return this.#bySubject ? this.#scan.a : this.#scan.c;
  }

  get predicate(): TermId {
    return this.#scan.b;
  }

  get object(): TermId {
    return this.#bySubject ? this.#scan.c : this.#scan.a;
  }

  get graph(): TermId {
    return this.#scan.d;
  }

  next(): boolean {
    while (this.#scan.next()) if (this.#view.sees(this.#scan.d)) return true;
    return false;
  }
}

/** All quads, in the order s, p, o, g. */
export class AllQuadsCursor implements QuadCursor {
  readonly terms: TermBytes;
  readonly #scan: MergedScan;

  constructor(terms: TermBytes, runs: Runs) {
    this.terms = terms;
    this.#scan = new MergedScan(runs).start(BY_SUBJECT, 0);
  }

  get subject(): TermId {
    return this.#scan.a;
  }

  get predicate(): TermId {
    return this.#scan.b;
  }

  get object(): TermId {
    return this.#scan.c;
  }

  get graph(): TermId {
    return this.#scan.d;
  }

  next(): boolean {
    return this.#scan.next();
  }
}
