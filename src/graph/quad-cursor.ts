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
}
