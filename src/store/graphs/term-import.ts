import type { TermList } from '../../snapshot/dictionary/overlay.ts';
import type { DictionaryWriter } from '../../snapshot/dictionary/term-writer.ts';

/** The number of terms that are added between two looks at the clock. */
const BATCH = 256;

/** Adds the new terms of a large change to the dictionary, a slice at a time. */
export class TermImport {
  readonly #terms: TermList;
  readonly #ids: Uint32Array;
  #done = 0;

  constructor(terms: TermList) {
    this.#terms = terms;
    this.#ids = new Uint32Array(new SharedArrayBuffer(4 * terms.count));
  }

  /** The ids of the terms, in order; complete once all have been added. */
  get ids(): Uint32Array {
    return this.#ids;
  }

  /**
   * Continues for at most this many milliseconds; returns whether all terms have been added. Throws
   * `store-full`.
   */
  advance(dictionary: DictionaryWriter, milliseconds: number): boolean {
    const end = performance.now() + milliseconds;
    const { count, bytes, ends } = this.#terms;
    do {
      const to = Math.min(count, this.#done + BATCH);
      for (; this.#done < to; this.#done++) {
        this.#ids[this.#done] = dictionary.intern(bytes, ends[this.#done]!, ends[this.#done + 1]!);
      }
    } while (this.#done < count && performance.now() < end);
    return this.#done === count;
  }
}
