import type { TermBytes } from '../../model/path-graph.ts';
import type { QuadCursor } from '../../model/quad-cursor.ts';
import { QUAD_WORDS, readRows } from '../../model/quad-rows.ts';

/** Words that are read at a time: 8 KiB, a part of a core's first-level cache. */
const BLOCK_WORDS = 512 * QUAD_WORDS;

/** A part of the quads of a cursor: the current one, the next one if there is one, and more. */
export class QuadWindow {
  readonly terms: TermBytes;
  /** For each quad: subject, predicate, object, graph. */
  words = new Uint32Array(BLOCK_WORDS);
  /** Where the current quad begins. */
  at = -QUAD_WORDS;
  /** Where the quads that have been read end. */
  end = 0;
  readonly #cursor: QuadCursor;
  #isRead = false;

  /** Reads quads until there are `quads` in memory, or all of them. */
  constructor(cursor: QuadCursor, quads = 0) {
    this.terms = cursor.terms;
    this.#cursor = cursor;
    this.#fill();
    while (!this.#isRead && this.end < quads * QUAD_WORDS) {
      const longer = new Uint32Array(2 * this.words.length);
      longer.set(this.words);
      this.words = longer;
      this.#fill();
    }
  }

  /** Whether the window contains all quads. */
  get isWhole(): boolean {
    return this.#isRead;
  }

  /** Moves to the next quad; returns false at the end. */
  next(): boolean {
    this.at += QUAD_WORDS;
    if (this.at + QUAD_WORDS >= this.end && !this.#isRead) this.#move();
    return this.at < this.end;
  }

  /** Begins a new window with what is left of this one. */
  #move(): void {
    const rest = this.words.slice(this.at, this.end);
    if (this.words.length !== BLOCK_WORDS) this.words = new Uint32Array(BLOCK_WORDS);
    this.words.set(rest);
    this.at = 0;
    this.end = rest.length;
    this.#fill();
  }

  #fill(): void {
    const { words } = this;
    while (this.end < words.length) {
      const count = readRows(this.#cursor, words.subarray(this.end));
      if (count === 0) {
        this.#isRead = true;
        return;
      }
      this.end += count;
    }
  }
}
