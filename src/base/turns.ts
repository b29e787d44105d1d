import { setImmediate as nextTurn } from 'node:timers/promises';

/** Limits the work of many, all together, to one piece in a turn of the event loop. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  /** Resolves in a turn that nobody else has. */
  next(): Promise<unknown> {
    this.#last = this.#last.then(() => nextTurn());
    return this.#last;
  }
}
