import type { BatchLines } from '../messages.ts';

const LEAST_BYTES = 256 * 1024;
/** More bytes than this go into a buffer of their own. */
const MOST_BYTES = 4 * 1024 * 1024;
/** Spare room for jobs that write a little more than the one for which the memory was allocated. */
const SPARE = 1.5;

/**
 * Shared memories, by number, for the lines that jobs of batches write. The main thread decides
 * which are free.
 */
export class BatchMemories {
  readonly #memories: Uint8Array<SharedArrayBuffer>[] = [];

  /**
   * Puts the first `length` bytes where the main thread can read them; without a `number`, in a
   * buffer of their own.
   */
  keep(number: number | null, bytes: Uint8Array, length: number): BatchLines {
    if (number === null || length > MOST_BYTES) return bytes.slice(0, length);
    let memory = this.#memories[number];
    let made: SharedArrayBuffer | null = null;
    if (memory === undefined || memory.length < length) {
      made = new SharedArrayBuffer(Math.min(MOST_BYTES, Math.max(LEAST_BYTES, Math.ceil(SPARE * length))));
      memory = new Uint8Array(made);
      this.#memories[number] = memory;
    }
    memory.set(bytes.subarray(0, length));
    return { length, made };
  }
}
