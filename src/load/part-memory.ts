/** A thread parses this many bytes in a few hundredths of a second. */
const PART_BYTES = 4 << 20;

/**
 * Shared memory that files are read into. It is reused, because new memory costs more than reading
 * from the system's cache.
 */
export class PartMemory {
  readonly #free: SharedArrayBuffer[] = [];

  /** Returns memory for a part, of at least `atLeast` bytes. */
  take(atLeast = 0): Buffer {
    const length = Math.max(atLeast, PART_BYTES);
    const free = length === PART_BYTES ? this.#free.pop() : undefined;
    return Buffer.from(free ?? new SharedArrayBuffer(length));
  }

  /** Recycles memory that is no longer used. */
  release({ buffer }: Buffer): void {
    if (buffer instanceof SharedArrayBuffer && buffer.byteLength === PART_BYTES) this.#free.push(buffer);
  }
}
