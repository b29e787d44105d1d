import { SnapshotError } from '../errors.ts';

type SharedArray = Uint8Array<SharedArrayBuffer> | Uint32Array<SharedArrayBuffer>;

const GROWTH = 1.5;
/** The share of a long array that is filled when copying begins, well before no room is left. */
const FILLED = 0.9;
/** Number of elements that are copied at once; a shorter array is copied only when it is full. */
const AT_ONCE = 1 << 18;

/**
 * A shared array that grows at its end. A longer array is filled in small steps in the background,
 * and replaces the old one when it is complete, so that no caller waits while gigabytes are copied.
 * Elements up to a stable length do not change any more; readers of the old array keep it.
 */
export class GrowingArray<T extends SharedArray> {
  readonly #make: (length: number) => T;
  readonly #limit: number;
  #array: T;
  #next: T | undefined;
  #copied = 0;

  constructor(array: T, make: (length: number) => T, limit: number) {
    this.#array = array;
    this.#make = make;
    this.#limit = limit;
  }

  get array(): T {
    return this.#array;
  }

  get reservedBytes(): number {
    return this.#array.byteLength + (this.#next?.byteLength ?? 0);
  }

  /** Makes room for `length` elements at once; the first `used` ones are kept. */
  reserve(used: number, length: number): void {
    if (length <= this.#array.length) return;
    if (!this.#next || this.#next.length < length) {
      this.#next = this.#allocate(length);
      if (!this.#next) throw new SnapshotError('store-full', 'There is no memory for more terms.');
      this.#copied = 0;
    }
    this.#copy(used);
    this.#replace(this.#next);
  }

  /** Copies some more of the first `stable` elements if the array is nearly full. */
  advance(stable: number): void {
    const { length } = this.#array;
    if (!this.#next && length >= AT_ONCE && stable > FILLED * length && length < this.#limit) {
      this.#next = this.#allocate(length);
      this.#copied = 0;
    }
    if (this.#next) this.#copy(Math.min(stable, this.#copied + AT_ONCE));
  }

  /**
   * Moves to the longer array if that is nearly complete. Call it only when all used elements are
   * stable.
   */
  settle(used: number): void {
    this.advance(used);
    if (this.#next && this.#copied === used) this.#replace(this.#next);
  }

  /** Replaces the whole content. */
  adopt(array: T): void {
    this.#replace(array);
  }

  #replace(array: T): void {
    this.#array = array;
    this.#next = undefined;
  }

  #copy(to: number): void {
    this.#next?.set(this.#array.subarray(this.#copied, to), this.#copied);
    this.#copied = Math.max(this.#copied, to);
  }

  #allocate(length: number): T | undefined {
    try {
      return this.#make(Math.min(Math.ceil(length * GROWTH), this.#limit));
    } catch (error) {
      if (error instanceof RangeError) return undefined;
      throw error;
    }
  }
}
