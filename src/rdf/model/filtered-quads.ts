import type { TermBytes } from './path-graph.ts';
import type { QuadCursor } from './quad-cursor.ts';
import type { TermId } from './term-id.ts';

/** The quads of a cursor that pass a filter. */
export class FilteredQuads implements QuadCursor {
  readonly terms: TermBytes;
  readonly #quads: QuadCursor;
  readonly #isWanted: (quads: QuadCursor) => boolean;

  /** `isWanted` is called with the cursor at each of its quads, and must not move it. */
  constructor(quads: QuadCursor, isWanted: (quads: QuadCursor) => boolean) {
    this.terms = quads.terms;
    this.#quads = quads;
    this.#isWanted = isWanted;
  }

  get subject(): TermId {
    return this.#quads.subject;
  }

  get predicate(): TermId {
    return this.#quads.predicate;
  }

  get object(): TermId {
    return this.#quads.object;
  }

  get graph(): TermId {
    return this.#quads.graph;
  }

  next(): boolean {
    while (this.#quads.next()) if (this.#isWanted(this.#quads)) return true;
    return false;
  }
}
