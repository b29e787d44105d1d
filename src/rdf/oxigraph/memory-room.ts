/** The exports of the module that allocate and free memory. */
export interface Allocator {
  readonly __wbindgen_malloc: (bytes: number, alignment: number) => number;
  readonly __wbindgen_free: (address: number, bytes: number, alignment: number) => void;
}

interface Memory {
  readonly buffer: ArrayBuffer;
}

/** Memory below this size may grow in small steps, because V8 does not react to that. */
const SMALL_BYTES = 32 * 1024 * 1024;
/** The share of the present memory that is allocated in one step. */
const STEP_SHARE = 1 / 16;

/**
 * Makes an instance's memory grow in large steps. On its own the allocator would make it grow by
 * some pages at a time, and each time V8 would collect all garbage, because it counts the whole
 * memory as new. That would take more than half of the time for loading a million quads.
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

  /** Call it regularly while more is being loaded. */
  make(): void {
    const bytes = this.#memory.buffer.byteLength;
    if (bytes < SMALL_BYTES || bytes === this.#bytes) return;
    const step = Math.floor(bytes * STEP_SHARE);
    const { __wbindgen_malloc: allocate, __wbindgen_free: free } = this.#allocator;
    // The allocator would fail permanently if there were no room. It keeps the memory that is
    // freed.
    if (allocate && free && bytes + 2 * step < this.#maxBytes) free(allocate(step, 1), step, 1);
    this.#bytes = this.#memory.buffer.byteLength;
  }
}
