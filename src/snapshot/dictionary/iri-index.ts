import type { TermId } from '../../rdf/model/term-id.ts';
import { isIriAt } from '../../rdf/model/triple-term.ts';
import type { Dictionary } from './dictionary.ts';

/**
 * The IRIs among the first terms of a dictionary, in the order of their bytes (which is that of
 * code points). An index stays valid for every later snapshot of the same generation; it only lacks
 * newer terms.
 */
export interface IriIndex {
  /** Uint32: ids of IRIs, sorted. */
  readonly ids: SharedArrayBuffer;
  /** The index covers the ids up to this one. */
  readonly termCount: number;
  /** The generation of the dictionary. */
  readonly generation: number;
}

/** Shorter ranges are sorted by insertion. */
const SHORT_RANGE = 12;
const KEY_BYTES = 4;

/**
 * Sorts new IRIs and merges them into the previous index. Takes about a second for a million new
 * IRIs.
 */
export function buildIriIndex(dictionary: Dictionary, before: IriIndex | null): IriIndex {
  const { generation, termCount } = dictionary;
  const previous = before?.generation === generation ? before : null;
  const fresh = irisAfter(dictionary, previous?.termCount ?? 0);
  new IriSort(dictionary, fresh).run();
  const old = new Uint32Array(previous?.ids ?? new SharedArrayBuffer(0));
  const ids = new SharedArrayBuffer(4 * (old.length + fresh.length));
  merge(dictionary, old, fresh, new Uint32Array(ids));
  return { ids, termCount, generation };
}

/**
 * Returns the position of the first IRI in the index that is not less than `prefix`, which begins
 * with `<`.
 */
export function firstAt(dictionary: Dictionary, ids: Uint32Array, prefix: Uint8Array): number {
  let low = 0;
  let high = ids.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (comparePrefix(dictionary, ids[middle]!, prefix) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Returns 0 if the term begins with the bytes; otherwise a negative or positive number if it comes
 * before or after all terms that do.
 */
export function comparePrefix(dictionary: Dictionary, id: TermId, prefix: Uint8Array): number {
  const { bytes } = dictionary;
  const start = dictionary.start(id);
  const length = dictionary.end(id) - 1 - start;
  for (let i = 0; i < prefix.length; i++) {
    // The closing bracket does not belong to the IRI.
    const difference = (i < length ? bytes[start + i]! : 0) - prefix[i]!;
    if (difference !== 0) return difference;
  }
  return 0;
}

function irisAfter(dictionary: Dictionary, last: TermId): Uint32Array {
  const { bytes, termCount } = dictionary;
  const ids = new Uint32Array(termCount - last);
  let count = 0;
  for (let id = last + 1; id <= termCount; id++) {
    if (isIriAt(bytes, dictionary.start(id))) ids[count++] = id;
  }
  return ids.subarray(0, count);
}

function merge(dictionary: Dictionary, a: Uint32Array, b: Uint32Array, into: Uint32Array): void {
  let i = 0;
  let j = 0;
  for (let to = 0; to < into.length; to++) {
    const takesA = j === b.length || (i < a.length && compareIris(dictionary, a[i]!, b[j]!) < 0);
    into[to] = takesA ? a[i++]! : b[j++]!;
  }
}

/** Compares two IRIs whose first `from` bytes are known to be equal. */
export function compareIris(dictionary: Dictionary, a: TermId, b: TermId, from = 0): number {
  const { bytes } = dictionary;
  const startA = dictionary.start(a);
  const startB = dictionary.start(b);
  const lengthA = dictionary.end(a) - 1 - startA;
  const lengthB = dictionary.end(b) - 1 - startB;
  const shorter = Math.min(lengthA, lengthB);
  for (let i = from; i < shorter; i++) {
    const difference = bytes[startA + i]! - bytes[startB + i]!;
    if (difference !== 0) return difference;
  }
  return lengthA - lengthB;
}

/**
 * Three-way radix quicksort, four bytes at a time: common prefixes, which are most of the bytes,
 * are read once. Ranges wait on an explicit stack, since the depth of their nesting depends on the
 * data.
 */
class IriSort {
  readonly #dictionary: Dictionary;
  readonly #ids: Uint32Array;
  readonly #keys: Uint32Array;
  /**
   * Ranges to sort: start, end, and the number of bytes that their IRIs have in common, three
   * numbers each.
   */
  readonly #ranges: number[] = [];

  constructor(dictionary: Dictionary, ids: Uint32Array) {
    this.#dictionary = dictionary;
    this.#ids = ids;
    this.#keys = new Uint32Array(ids.length);
  }

  run(): void {
    const ranges = this.#ranges;
    ranges.push(0, this.#ids.length, 0);
    while (ranges.length > 0) {
      const common = ranges.pop()!;
      const to = ranges.pop()!;
      const from = ranges.pop()!;
      if (to - from <= SHORT_RANGE) this.#insertionSort(from, to, common);
      else {
        this.#readKeys(from, to, common);
        this.#sortByKeys(from, to, common);
      }
    }
  }

  /**
   * Reads the next four bytes of each IRI as a number; bytes past its end count as 0, which occurs
   * in no IRI.
   */
  #readKeys(from: number, to: number, common: number): void {
    const dictionary = this.#dictionary;
    const { bytes } = dictionary;
    for (let i = from; i < to; i++) {
      const id = this.#ids[i]!;
      const end = dictionary.end(id) - 1;
      let at = dictionary.start(id) + common;
      let key = 0;
      for (let n = 0; n < KEY_BYTES; n++, at++) key = key * 256 + (at < end ? bytes[at]! : 0);
      this.#keys[i] = key;
    }
  }

  /** The keys are read for the whole range; ranges of equal keys go on the stack. */
  #sortByKeys(from: number, to: number, common: number): void {
    const work = [from, to];
    while (work.length > 0) {
      const end = work.pop()!;
      const begin = work.pop()!;
      if (end - begin < 2) continue;
      const pivot = this.#keys[begin + Math.floor(Math.random() * (end - begin))]!;
      const [less, greater] = this.#partition(begin, end, pivot);
      work.push(begin, less, greater, end);
      // A key that ends in 0 belongs to an IRI that ends there, and each IRI occurs once.
      if (greater - less > 1 && (pivot & 0xff) !== 0) this.#ranges.push(less, greater, common + KEY_BYTES);
    }
  }

  /**
   * Moves smaller keys to the front and greater ones to the back; returns the range of those equal
   * to `pivot`.
   */
  #partition(begin: number, end: number, pivot: number): [number, number] {
    let less = begin;
    let greater = end;
    for (let i = begin; i < greater; ) {
      const key = this.#keys[i]!;
      if (key < pivot) this.#swap(less++, i++);
      else if (key > pivot) this.#swap(i, --greater);
      else i++;
    }
    return [less, greater];
  }

  #swap(i: number, j: number): void {
    const id = this.#ids[i]!;
    const key = this.#keys[i]!;
    this.#ids[i] = this.#ids[j]!;
    this.#keys[i] = this.#keys[j]!;
    this.#ids[j] = id;
    this.#keys[j] = key;
  }

  #insertionSort(from: number, to: number, common: number): void {
    const ids = this.#ids;
    for (let i = from + 1; i < to; i++) {
      const id = ids[i]!;
      let j = i - 1;
      for (; j >= from && compareIris(this.#dictionary, ids[j]!, id, common) > 0; j--) ids[j + 1] = ids[j]!;
      ids[j + 1] = id;
    }
  }
}
