/** A thread parses so much in a few hundredths of a second. */
const PART_BYTES = 4 << 20;

/**
 * Shared memory that files are read into, used again and again: new memory costs more than reading
 * from the system's cache does.
 */
export class PartMemory {
  readonly #free: SharedArrayBuffer[] = [];

  /** Memory for a part, of `atLeast` bytes if that is more than usual. */
  take(atLeast = 0): Buffer {
    const length = Math.max(atLeast, PART_BYTES);
    const free = length === PART_BYTES ? this.#free.pop() : undefined;
    return Buffer.from(free ?? new SharedArrayBuffer(length));
  }

  /** Takes back what nobody uses any more. */
  release({ buffer }: Buffer): void {
    if (buffer instanceof SharedArrayBuffer && buffer.byteLength === PART_BYTES) this.#free.push(buffer);
  }
}
