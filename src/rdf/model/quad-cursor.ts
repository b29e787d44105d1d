import type { TermBytes } from './path-graph.ts';
import type { TermId } from './term-id.ts';

/**
 * Walks over quads one by one, so that a large graph can be written in chunks. `subject` … `graph`
 * belong to the current quad, and are valid after `next` returned true.
 */
export interface QuadCursor {
  readonly terms: TermBytes;
  readonly subject: TermId;
  readonly predicate: TermId;
  readonly object: TermId;
  readonly graph: TermId;
  /** Moves to the next quad; returns false at the end. */
  next(): boolean;
  /**
   * Implemented where there is a faster way than one by one: writes the next quads, each as
   * subject, predicate, object and graph, as many as there are and there is room for. Returns the
   * number of words written, which is 0 only at the end; there is no current quad then.
   */
  read?(words: Uint32Array): number;
}
