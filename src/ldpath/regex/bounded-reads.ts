import type { CharacterTest } from './character-test.ts';

export interface Bounds {
  readonly min: number;
  readonly max: number;
}

/**
 * The number of characters that are examined in addition to those that a repetition may read, so
 * that the next position need not examine them again.
 */
const AHEAD = 64;
const NONE = -1;

/**
 * A bounded repetition of a character set (`[ab]{2,1000}`) in one text. It remembers how far the
 * set extends, and the positions at which the part after the repetition was tried. So large bounds
 * do not make a search slower.
 */
export class BoundedReads {
  /**
   * The positions after the fewest and the most characters that can be read from the position of
   * the last call.
   */
  least = NONE;
  most = NONE;
  /** The number of characters that were examined for that. */
  looked = 0;
  readonly #text: string;
  readonly #characters: CharacterTest;
  readonly #bounds: Bounds;
  /** A run of characters of the set. */
  #start = 0;
  #end = NONE;
  /** Whether the run is followed by a character outside the set, or the end of the text. */
  #isWhole = false;
  #hasPairs = false;
  #triedFrom = 0;
  #triedTo = NONE;

  constructor(text: string, characters: CharacterTest, bounds: Bounds) {
    this.#text = text;
    this.#characters = characters;
    this.#bounds = bounds;
  }

  /** Sets `least` and `most`; returns false if there are too few characters. */
  read(from: number): boolean {
    const { min, max } = this.#bounds;
    this.looked = 0;
    this.#look(from);
    if (this.#hasPairs) return this.#count(from);
    this.least = from + min;
    this.most = Math.min(this.#end, from + max);
    return this.least <= this.most;
  }

  #knows(from: number): boolean {
    if (from < this.#start || from > this.#end) return false;
    return this.#isWhole || from + 2 * this.#bounds.max <= this.#end;
  }

  #look(from: number): void {
    if (this.#knows(from)) return;
    const limit = from + 3 * this.#bounds.max + AHEAD;
    this.#start = from;
    this.#hasPairs = false;
    let at = from;
    for (; at < limit; at++) {
      const code = this.#text.codePointAt(at);
      if (code === undefined || !this.#characters.has(code)) break;
      if (code <= 0xffff) continue;
      this.#hasPairs = true;
      at++;
    }
    this.#end = at;
    this.#isWhole = at < limit;
    this.looked += at - from;
  }

  /** Counts characters, because a character may be two units long. */
  #count(from: number): boolean {
    const { min, max } = this.#bounds;
    this.least = min === 0 ? from : NONE;
    this.most = from;
    for (let count = 1; count <= max && this.most < this.#end; count++) {
      this.most += this.#text.codePointAt(this.most)! > 0xffff ? 2 : 1;
      if (count === min) this.least = this.most;
    }
    this.looked += this.most - from;
    return this.least !== NONE;
  }

  /**
   * Returns the first position from `least` to `most` at which the next part has not been tried;
   * the caller will try all positions from there on.
   */
  firstUntried(): number {
    const { least, most } = this;
    const follows = least >= this.#triedFrom && least <= this.#triedTo + 1;
    if (!follows) this.#triedFrom = least;
    const first = follows ? Math.max(least, this.#triedTo + 1) : least;
    this.#triedTo = follows ? Math.max(most, this.#triedTo) : most;
    return first;
  }

  /** Forgets which positions were tried: they may not fail any more. */
  forget(): void {
    this.#triedTo = NONE;
    this.#triedFrom = 0;
  }
}
