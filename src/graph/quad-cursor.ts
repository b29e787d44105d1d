import type { TermBytes } from './path-graph.ts';
import type { TermId } from './term-id.ts';

/**
 * Walks over quads one by one, so that a big graph can be written in pieces. `subject` … `graph` are those of
 * the current quad, valid after `next` returned true.
 */
export interface QuadCursor {
  readonly terms: TermBytes;
  readonly subject: TermId;
  readonly predicate: TermId;
  readonly object: TermId;
  readonly graph: TermId;
  /** Goes to the next quad; false at the end. */
  next(): boolean;
  /**
   * Where there is a quicker way than one by one: writes the next quads, each as subject, predicate, object and graph, as
   * many as there are and there is room for. Gives the words written, 0 at the end only; there is no current quad then.
   */
  read?(words: Uint32Array): number;
}
