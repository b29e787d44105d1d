import type { TermBytes } from '../graph/path-graph.ts';
import type { QuadCursor } from '../graph/quad-cursor.ts';
import type { TermId } from '../graph/term-id.ts';
import { MergedScan } from './merged-scan.ts';
import { BY_GRAPH, BY_SUBJECT } from './order.ts';
import type { Runs } from './runs.ts';

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
