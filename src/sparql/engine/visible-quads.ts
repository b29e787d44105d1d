import type { QuadCursor } from '../../rdf/model/quad-cursor.ts';
import { NO_TERM, type TermId } from '../../rdf/model/term-id.ts';
import { hasInnerBlankNodes, isTripleTermAt } from '../../rdf/model/triple-term.ts';
import type { Dictionary } from '../../snapshot/dictionary/dictionary.ts';
import type { SnapshotReader } from '../../snapshot/read/reader.ts';

const UNDERSCORE = 0x5f;

/** Receives the quads that the cursor leaves out because they need special treatment. */
export type UseOthers = (subject: TermId, predicate: TermId, object: TermId, graph: TermId) => void;

/**
 * The quads of a snapshot that queries see, except those that a loader can't load: it would change
 * the labels of blank nodes, and the snapshot does not have the bytes of terms with provisional
 * ids. Those quads are passed to `useOthers`.
 */
export class VisibleQuads implements QuadCursor {
  readonly terms: Dictionary;
  subject: TermId = NO_TERM;
  predicate: TermId = NO_TERM;
  object: TermId = NO_TERM;
  /** `NO_TERM` for the graph that can't be named, and for all graphs if `merges`. */
  graph: TermId = NO_TERM;
  /** The number of quads so far, including those left out. */
  count = 0;
  /** Whether a triple occurred in several graphs. */
  hasRepeated = false;
  readonly #quads: QuadCursor;
  readonly #unnamed: TermId;
  readonly #merges: boolean;
  readonly #useOthers: UseOthers;

  constructor(
    reader: Pick<SnapshotReader, 'terms'>,
    quads: QuadCursor,
    options: { readonly unnamed: TermId; readonly merges: boolean },
    useOthers: UseOthers,
  ) {
    this.terms = reader.terms;
    this.#quads = quads;
    this.#unnamed = options.unnamed;
    this.#merges = options.merges;
    this.#useOthers = useOthers;
  }

  next(): boolean {
    while (this.#nextVisible()) {
      if (this.#isLoadable()) return true;
      this.#useOthers(this.subject, this.predicate, this.object, this.graph);
    }
    return false;
  }

  #nextVisible(): boolean {
    const quads = this.#quads;
    while (quads.next()) {
      const { graph } = quads;
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

  #isLoadable(): boolean {
    const { subject, predicate, object, graph, terms } = this;
    if (Math.max(subject, predicate, object, graph) > terms.termCount) return false;
    return !this.#isBlank(subject) && !this.#isBlank(object);
  }

  #isBlank(term: TermId): boolean {
    const { terms } = this;
    const start = terms.start(term);
    if (terms.bytes[start] === UNDERSCORE) return true;
    return isTripleTermAt(terms.bytes, start) && hasInnerBlankNodes(terms.bytes, start, terms.end(term));
  }
}
