import { setTimeout as delay } from 'node:timers/promises';

/** Lines with no more bytes do not count. */
const FEW_BYTES = 64 * 1024;
/** How often it is looked whether there is room, in milliseconds. */
const LOOK_MS = 50;

function nothing(): void {}

/**
 * Limits the bytes of lines of all batches that are evaluated and not taken by their clients. Lines
 * that can be taken next, and others that must wait for the lines before them, have half of the
 * room each: so the latter never take the room of those for which they wait.
 */
export class LineRoom {
  readonly #most: number;
  readonly #held = { due: 0, early: 0 };

  constructor(maxBytes: number) {
    this.#most = maxBytes / 2;
  }

  /**
   * Reserves room and returns a function that releases it, or undefined when the room is full. Due
   * lines are always admitted when no other due lines hold room.
   */
  reserve(bytes: number, isDue: boolean): (() => void) | undefined {
    if (bytes <= FEW_BYTES) return nothing;
    const kind = isDue ? 'due' : 'early';
    const held = this.#held[kind];
    if (held + bytes > this.#most && !(isDue && held === 0)) return undefined;
    this.#held[kind] += bytes;
    let left = bytes;
    return () => {
      this.#held[kind] -= left;
      left = 0;
    };
  }

  /** The same, once there is room; reserves nothing if it is not `wanted` any more. */
  async whenFree(bytes: number, isDue: () => boolean, wanted: () => boolean): Promise<() => void> {
    while (wanted()) {
      const release = this.reserve(bytes, isDue());
      if (release) return release;
      await delay(LOOK_MS);
    }
    return nothing;
  }
}
