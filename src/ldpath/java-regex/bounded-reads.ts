import type { CharacterTest } from './character-test.ts';

export interface Bounds {
  readonly min: number;
  readonly max: number;
}

/**
 * Characters that are looked at beyond those that a repetition may read, so that the next place
 * need not look again.
 */
const AHEAD = 64;
const NONE = -1;

/**
 * A bounded repetition of a set of characters (`[ab]{2,1000}`) in one text. It remembers how far
 * the set reaches, and where what follows the repetition was tried. So a search takes no longer for
 * big bounds.
 */
export class BoundedReads {
  /**
   * Places behind the fewest and the most characters that can be read from the place that was asked
   * for last.
   */
  least = NONE;
  most = NONE;
  /** Characters that were looked at for that. */
  looked = 0;
  readonly #text: string;
  readonly #characters: CharacterTest;
  readonly #bounds: Bounds;
  /** Characters of the set that follow one another. */
  #start = 0;
  #end = NONE;
  /** Whether no character of the set follows them. */
  #isWhole = false;
  #hasPairs = false;
  #triedFrom = 0;
  #triedTo = NONE;

  constructor(text: string, characters: CharacterTest, bounds: Bounds) {
    this.#text = text;
    this.#characters = characters;
    this.#bounds = bounds;
  }

  /** Sets `least` and `most`; false when there are too few characters. */
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

  /** A character may be two units long. */
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
   * The first place from `least` to `most` where what follows was not tried; it will be at all
   * places from there on.
   */
  firstUntried(): number {
    const { least, most } = this;
    const follows = least >= this.#triedFrom && least <= this.#triedTo + 1;
    if (!follows) this.#triedFrom = least;
    const first = follows ? Math.max(least, this.#triedTo + 1) : least;
    this.#triedTo = follows ? Math.max(most, this.#triedTo) : most;
    return first;
  }

  /** What was tried may not fail any more. */
  forget(): void {
    this.#triedTo = NONE;
    this.#triedFrom = 0;
  }
}
