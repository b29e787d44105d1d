import type { TermBytes } from './path-graph.ts';
import type { QuadCursor } from './quad-cursor.ts';

/** For each quad: subject, predicate, object, graph. */
export const QUAD_WORDS = 4;
/**
 * Number of quads in the buffer. They have 8 KiB together, a part of a core's first-level cache.
 */
const QUADS = 512;

/**
 * Reads the quads of a cursor many at a time, so that a consumer does not need a call for each of
 * them.
 */
export class QuadRows {
  readonly terms: TermBytes;
  readonly words = new Uint32Array(QUADS * QUAD_WORDS);
  /** The quads that were read but not used: words `at` to `end`. */
  at = 0;
  end = 0;
  readonly #cursor: QuadCursor;

  constructor(cursor: QuadCursor) {
    this.terms = cursor.terms;
    this.#cursor = cursor;
  }

  /** Makes sure that there is a quad; returns false if there are no more. */
  more(): boolean {
    if (this.at < this.end) return true;
    this.at = 0;
    this.end = readRows(this.#cursor, this.words);
    return this.end > 0;
  }
}

/** Reads the next quads of a cursor. Returns the number of words written, 0 only at the end. */
export function readRows(cursor: QuadCursor, words: Uint32Array): number {
  return cursor.read?.(words) ?? readOneByOne(cursor, words);
}

function readOneByOne(cursor: QuadCursor, words: Uint32Array): number {
  let end = 0;
  while (end < words.length && cursor.next()) {
    words[end] = cursor.subject;
    words[end + 1] = cursor.predicate;
    words[end + 2] = cursor.object;
    words[end + 3] = cursor.graph;
    end += QUAD_WORDS;
  }
  return end;
}
