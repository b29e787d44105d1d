const MAX_PAGE_BITS = 10;
/** Numbers of 32-bit words: in a page, if more than one position fits into it, and in all pages. */
const PAGE_WORDS = 2 ** 14;
const MAX_WORDS = 2 ** 23;
const MAX_TRAIL = 2 ** 22;

/**
 * Records which choices of a pattern have been tried at which positions of a text. When the memory
 * for records runs out, no more are made: a search may then take longer, but finds the same
 * matches.
 */
export class FailedChoices {
  readonly #choices: number;
  /** Words per position. */
  readonly #rowWords: number;
  /** The number of positions per page, as a power of two. */
  readonly #pageBits: number;
  readonly #pages: (Uint32Array | undefined)[] = [];
  #words = 0;
  #firstPage = 0;
  /** Records to be removed if the separate run succeeds. */
  readonly #trail: number[] = [];
  #trails = 0;

  constructor(choices: number) {
    this.#choices = choices;
    this.#rowWords = Math.max(1, Math.ceil(choices / 32));
    const places = Math.floor(PAGE_WORDS / this.#rowWords);
    this.#pageBits = Math.min(MAX_PAGE_BITS, places > 0 ? 31 - Math.clz32(places) : 0);
  }

  /** Records a choice; returns false if it was recorded before. */
  add(choice: number, place: number): boolean {
    const index = place >> this.#pageBits;
    const page = this.#pages[index] ?? this.#newPage(index);
    if (page === null || (this.#trails > 0 && this.#trail.length === MAX_TRAIL)) return true;
    const word = this.#row(place) + (choice >> 5);
    const bit = 1 << (choice & 31);
    if ((page[word]! & bit) !== 0) return false;
    page[word]! |= bit;
    if (this.#trails > 0) this.#trail.push(place * this.#choices + choice);
    return true;
  }

  /** Returns the offset of a position's records in its page. */
  #row(place: number): number {
    return (place & ((1 << this.#pageBits) - 1)) * this.#rowWords;
  }

  #newPage(index: number): Uint32Array | null {
    const words = this.#rowWords << this.#pageBits;
    if (this.#words + words > MAX_WORDS) return null;
    this.#words += words;
    const page = new Uint32Array(words);
    this.#pages[index] = page;
    return page;
  }

  /** Drops the records of positions before this one, which are no longer needed. */
  dropBefore(place: number): void {
    const index = place >> this.#pageBits;
    for (; this.#firstPage < index; this.#firstPage++) this.#drop(this.#firstPage);
  }

  /**
   * Prepares the search after a match that ends at `place`: the choices that led to the match have
   * not failed.
   */
  beginAfter(place: number): void {
    this.dropBefore(place);
    const index = place >> this.#pageBits;
    const row = this.#row(place);
    this.#pages[index]?.fill(0, row, row + this.#rowWords);
  }

  #drop(index: number): void {
    this.#words -= this.#pages[index]?.length ?? 0;
    this.#pages[index] = undefined;
  }

  /**
   * Starts to track the records of a separate run (a look-around or an atomic group). Returns the
   * value that `endTrail` needs.
   */
  beginTrail(): number {
    this.#trails++;
    return this.#trail.length;
  }

  /** Removes the tracked records if the run succeeded. Returns the number of records removed. */
  endTrail(start: number, succeeded: boolean): number {
    const count = succeeded ? this.#trail.length - start : 0;
    for (let i = 0; i < count; i++) this.#remove(this.#trail.pop()!);
    if (--this.#trails === 0) this.#trail.length = 0;
    return count;
  }

  #remove(note: number): void {
    const choice = note % this.#choices;
    const place = (note - choice) / this.#choices;
    const page = this.#pages[place >> this.#pageBits]!;
    page[this.#row(place) + (choice >> 5)]! &= ~(1 << (choice & 31));
  }
}
