import { BatchRanges } from './ranges.ts';
import type { StartList } from './start-list.ts';
import type { StartPage } from './start-set-pages.ts';

/**
 * Consecutive start resources for one job: those of a list or page from `from` (inclusive) to `to`
 * (exclusive).
 */
export interface PagedRange {
  /** Counts the ranges of all pages, in order. */
  readonly number: number;
  readonly starts: StartList | StartPage;
  readonly from: number;
  readonly to: number;
}

interface Page {
  readonly starts: StartList | StartPage;
  readonly ranges: BatchRanges;
}

/** Cuts start resources into ranges, those of a set page by page. */
export class PagedRanges {
  readonly #read: () => Promise<StartPage | null>;
  #page: Page | undefined;
  #isLast: boolean;
  /** The page after the present one, which is read while that one is evaluated. */
  #coming: Promise<StartPage | null> | undefined;
  #turning: Promise<void> | undefined;
  #number = 0;

  /**
   * `starts`: a list, or a function that reads the next page of a set and returns null at the end.
   */
  constructor(starts: StartList | (() => Promise<StartPage | null>)) {
    const isSet = typeof starts === 'function';
    this.#isLast = !isSet;
    this.#read = isSet ? starts : () => Promise.resolve(null);
    if (!isSet) this.#page = { starts, ranges: new BatchRanges(starts.length) };
  }

  /**
   * Returns the next range; null if all are taken. See `BatchRanges.take`. Throws if a page can't
   * be read.
   */
  async take(takers: () => number, startMs: () => number | undefined): Promise<PagedRange | null> {
    for (;;) {
      const range = this.#page?.ranges.take(takers(), startMs());
      if (range) {
        const { from, to } = range;
        return { number: this.#number++, starts: this.#page!.starts, from, to };
      }
      if (this.#isLast) return null;
      this.#turning ??= this.#turn();
      await this.#turning;
    }
  }

  async #turn(): Promise<void> {
    const page = await (this.#coming ?? this.#read());
    this.#turning = undefined;
    this.#isLast = page === null || page.isLast;
    this.#page = page ? { starts: page, ranges: new BatchRanges(page.length, page.isLast) } : undefined;
    if (this.#isLast) return;
    this.#coming = this.#read();
    // Whoever waits for it gets its error.
    this.#coming.catch(() => {});
  }
}
