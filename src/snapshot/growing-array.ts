import { SnapshotError } from './snapshot-error.ts';

type SharedArray = Uint8Array<SharedArrayBuffer> | Uint32Array<SharedArrayBuffer>;

const GROWTH = 1.5;
/**
 * Share of a long array that is filled when its copying begins: well before there is no room left.
 */
const FILLED = 0.9;
/** Elements that are copied at once; a shorter array is copied only when it is full. */
const AT_ONCE = 1 << 18;

/**
 * A shared array that grows at its end. A longer array is filled in small pieces behind the back of
 * its users, and takes the place of the old one when it has all of it, so that nobody waits until
 * gigabytes are copied. What is filled is not changed any more up to a stable length; readers of
 * the old array keep it.
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

  /** Copies some more of the first `stable` elements, where the array is nearly full. */
  advance(stable: number): void {
    const { length } = this.#array;
    if (!this.#next && length >= AT_ONCE && stable > FILLED * length && length < this.#limit) {
      this.#next = this.#allocate(length);
      this.#copied = 0;
    }
    if (this.#next) this.#copy(Math.min(stable, this.#copied + AT_ONCE));
  }

  /**
   * Moves to the longer array when that has nearly all; to be called when all that is used is
   * stable.
   */
  settle(used: number): void {
    this.advance(used);
    if (this.#next && this.#copied === used) this.#replace(this.#next);
  }

  /** Takes the place of all that was there. */
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
