import type { TracedPlace } from './traced-place.ts';

/**
 * A number that places share. Half of it is divided among them, so that a place that reads much
 * leaves something for the steps after it; the rest is for those that come first.
 */
export class Quota {
  readonly #each: number;
  #free: number;
  readonly #taken = new Map<TracedPlace, number>();

  constructor(whole: number, places: number) {
    this.#each = Math.floor(whole / 2 / Math.max(1, places));
    this.#free = whole - this.#each * places;
  }

  hasFor(place: TracedPlace): boolean {
    return this.#free > 0 || (this.#taken.get(place) ?? 0) < this.#each;
  }

  /** Takes one, which must be there. */
  take(place: TracedPlace): void {
    const taken = this.#taken.get(place) ?? 0;
    if (taken < this.#each) this.#taken.set(place, taken + 1);
    else this.#free--;
  }
}
