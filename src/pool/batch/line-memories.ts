import type { BatchLines } from '../messages.ts';

/**
 * Number of memories for one thread: parts that wait for a slow client must not use up those of all
 * others.
 */
const MEMORIES = 4;

/**
 * The main thread's side of the memories into which one thread's jobs write the lines of batches
 * (see `BatchLines`).
 */
export class LineMemories {
  /** Last in, first out: the memory that was used last is still in a cache. */
  readonly #free = Array.from({ length: MEMORIES }, (_, number) => number);
  readonly #memories: (Uint8Array | undefined)[] = [];

  /** Leases a memory to one job, which may write into it until the lease is released. */
  lease(): LineLease {
    const number = this.#free.pop() ?? null;
    let leased = number !== null;
    return {
      number,
      read: (lines) => this.#read(number, lines),
      release: () => {
        if (leased) this.#free.push(number!);
        leased = false;
      },
    };
  }

  #read(number: number | null, lines: BatchLines): Uint8Array {
    if (lines instanceof Uint8Array) return lines;
    if (lines.made) this.#memories[number!] = new Uint8Array(lines.made);
    return this.#memories[number!]!.subarray(0, lines.length);
  }
}

export interface LineLease {
  /** Number of the memory; null if all are in use. */
  readonly number: number | null;
  /** Returns the lines of the job; valid until the release. */
  read(lines: BatchLines): Uint8Array;
  release(): void;
}
