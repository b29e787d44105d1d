/** Of the module's exports: what gives memory out, and takes it back. */
export interface Allocator {
  readonly __wbindgen_malloc: (bytes: number, alignment: number) => number;
  readonly __wbindgen_free: (address: number, bytes: number, alignment: number) => void;
}

interface Memory {
  readonly buffer: ArrayBuffer;
}

/** Below that V8 does not mind. */
const SMALL_BYTES = 32 * 1024 * 1024;
/** What is taken at once is so much of the memory that there is. */
const STEP_SHARE = 1 / 16;

/**
 * Has an instance's memory grow in large steps. Its allocator alone would have it grow by some
 * pages at a time, and each time V8 collects all garbage, since it takes the memory for new: more
 * than half of the time that it takes to load a million quads.
 */
export class MemoryRoom {
  readonly #memory: Memory;
  readonly #allocator: Partial<Allocator>;
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(memory: Memory, allocator: Partial<Allocator>, maxBytes: number) {
    this.#memory = memory;
    this.#allocator = allocator;
    this.#maxBytes = maxBytes;
  }

  /** To be called now and then while more is loaded. */
  make(): void {
    const bytes = this.#memory.buffer.byteLength;
    if (bytes < SMALL_BYTES || bytes === this.#bytes) return;
    const step = Math.floor(bytes * STEP_SHARE);
    const { __wbindgen_malloc: allocate, __wbindgen_free: free } = this.#allocator;
    // The allocator would fail for good where there is no room; what it gets back it keeps.
    if (allocate && free && bytes + 2 * step < this.#maxBytes) free(allocate(step, 1), step, 1);
    this.#bytes = this.#memory.buffer.byteLength;
  }
}
