import type { BulkLines } from './messages.ts';

/** Memories of one thread: parts that a slow client keeps waiting must not take those of all others. */
const MEMORIES = 4;

/** The main thread's side of the memories into which the bulk jobs of one thread write (see `BulkLines`). */
export class LineMemories {
  /** Last in, first out: what was used just now is in a cache. */
  readonly #free = Array.from({ length: MEMORIES }, (_, number) => number);
  readonly #memories: (Uint8Array | undefined)[] = [];

  /** For one job, which may write into the memory until its lease is released. */
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

  #read(number: number | null, lines: BulkLines): Uint8Array {
    if (lines instanceof Uint8Array) return lines;
    if (lines.made) this.#memories[number!] = new Uint8Array(lines.made);
    return this.#memories[number!]!.subarray(0, lines.length);
  }
}

export interface LineLease {
  /** Of the memory; null when all are taken. */
  readonly number: number | null;
  /** What the job wrote; good until the release. */
  read(lines: BulkLines): Uint8Array;
  release(): void;
}
