import type { TermBytes } from '../../graph/path-graph.ts';
import type { QuadCursor } from '../../graph/quad-cursor.ts';
import { NO_TERM, type TermId } from '../../graph/term-id.ts';
import type { SnapshotReader } from '../../snapshot/reader.ts';
import { SYSTEM_GRAPH_ID } from '../../snapshot/system-graph.ts';

const UNDERSCORE = 0x5f;

/** What is done with the quads that a cursor leaves out, since they need care. */
export type UseLabelled = (subject: TermId, predicate: TermId, object: TermId, graph: TermId) => void;

/**
 * The quads of a snapshot that queries see, but for those with blank nodes, whose labels a loader
 * would not keep: these are handed to `useLabelled`.
 */
export class VisibleQuads implements QuadCursor {
  readonly terms: TermBytes;
  subject: TermId = NO_TERM;
  predicate: TermId = NO_TERM;
  object: TermId = NO_TERM;
  /** `NO_TERM` for the graph that can't be named, and for all where `merges`. */
  graph: TermId = NO_TERM;
  /** Quads so far, those left out too. */
  count = 0;
  /** Whether a triple was met in several graphs. */
  hasRepeated = false;
  readonly #quads: QuadCursor;
  readonly #unnamed: TermId;
  readonly #merges: boolean;
  readonly #useLabelled: UseLabelled;

  constructor(
    reader: SnapshotReader,
    quads: QuadCursor,
    options: { readonly unnamed: TermId; readonly merges: boolean },
    useLabelled: UseLabelled,
  ) {
    this.terms = reader.terms;
    this.#quads = quads;
    this.#unnamed = options.unnamed;
    this.#merges = options.merges;
    this.#useLabelled = useLabelled;
  }

  next(): boolean {
    while (this.#nextVisible()) {
      if (!this.#isBlank(this.subject) && !this.#isBlank(this.object)) return true;
      this.#useLabelled(this.subject, this.predicate, this.object, this.graph);
    }
    return false;
  }

  #nextVisible(): boolean {
    const quads = this.#quads;
    while (quads.next()) {
      const { graph } = quads;
      if (graph === SYSTEM_GRAPH_ID) continue;
      const { subject, predicate, object } = quads;
      const isRepeated = object === this.object && predicate === this.predicate && subject === this.subject;
      if (isRepeated) this.hasRepeated = true;
      if (isRepeated && this.#merges) continue;
      this.subject = subject;
      this.predicate = predicate;
      this.object = object;
      this.graph = this.#merges || graph === this.#unnamed ? NO_TERM : graph;
      this.count++;
      return true;
    }
    return false;
  }

  #isBlank(term: TermId): boolean {
    return this.terms.bytes[this.terms.start(term)] === UNDERSCORE;
  }
}
