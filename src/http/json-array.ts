import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Caller } from '../caller.ts';
import { failure, type Result } from '../errors.ts';
import { watchClient } from '../services/watch-client.ts';

/** Milliseconds of work after which others have a turn. */
const TURN_MS = 3;
/** Entries between two looks at the clock. */
const ENTRIES = 32;

/** Long arrays are written one after another, so that of all of them one turn is taken at a time, and one held. */
let last: Promise<unknown> = Promise.resolve();

/** The same bytes as `JSON.stringify` of the whole, in pieces with turns for others between them. Error `cancelled`. */
export async function jsonArray(entries: Iterable<unknown>, caller: Caller): Promise<Result<Uint8Array>> {
  const array = new GrowingArray(entries);
  if (!array.grow()) {
    const hasLeft = watchClient(caller);
    const written = last.then(() => finish(array, hasLeft));
    last = written.catch(() => {});
    if (!(await written)) {
      return failure('cancelled', 'The client went away.');
    }
  }
  return { ok: true, value: array.bytes() };
}

/** False when the client left before the end. */
async function finish(array: GrowingArray, hasLeft: () => boolean): Promise<boolean> {
  do {
    await nextTurn();
    if (hasLeft()) return false;
  } while (!array.grow());
  return true;
}

class GrowingArray {
  readonly #entries: Iterator<unknown>;
  readonly #pieces: Buffer[] = [];
  #separator = '[';

  constructor(entries: Iterable<unknown>) {
    this.#entries = entries[Symbol.iterator]();
  }

  /** Works for a turn. True when it is complete. */
  grow(): boolean {
    const end = performance.now() + TURN_MS;
    let text = '';
    let isComplete = false;
    do {
      for (let i = 0; i < ENTRIES && !isComplete; i++) {
        const { value, done } = this.#entries.next();
        isComplete = done === true;
        if (isComplete) break;
        text += this.#separator + JSON.stringify(value);
        this.#separator = ',';
      }
    } while (!isComplete && performance.now() < end);
    if (isComplete) text += this.#separator === '[' ? '[]' : ']';
    this.#pieces.push(Buffer.from(text));
    return isComplete;
  }

  bytes(): Uint8Array {
    return Buffer.concat(this.#pieces);
  }
}
