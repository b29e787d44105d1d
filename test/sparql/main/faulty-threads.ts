import type { ThreadStatus } from '../../../src/sparql/thread-status.ts';

const HANGS = 0;
const CRASHES = 1;
const FILLING = 2;
const STARTS = 3;

/** How often threads fail that run `faulty-worker.ts`, in memory that they share with the test. */
export class FaultyThreads {
  readonly buffer: SharedArrayBuffer;
  readonly #words: Int32Array;

  constructor(buffer = new SharedArrayBuffer(16)) {
    this.buffer = buffer;
    this.#words = new Int32Array(buffer);
  }

  set hangs(count: number) {
    Atomics.store(this.#words, HANGS, count);
  }

  set crashes(count: number) {
    Atomics.store(this.#words, CRASHES, count);
  }

  /** Whether threads fill without end; those that do so go on when it is false. */
  set filling(is: boolean) {
    Atomics.store(this.#words, FILLING, is ? 1 : 0);
    Atomics.notify(this.#words, FILLING);
  }

  /** How often a thread began to take in data. */
  get starts(): number {
    return Atomics.load(this.#words, STARTS);
  }

  fail(status: ThreadStatus): void {
    Atomics.add(this.#words, STARTS, 1);
    if (Atomics.sub(this.#words, HANGS, 1) > 0) for (;;) status.threadId;
    if (Atomics.sub(this.#words, CRASHES, 1) > 0) process.exit(1);
    while (Atomics.load(this.#words, FILLING) === 1) {
      status.progress++;
      Atomics.wait(this.#words, FILLING, 1, 1);
    }
  }
}
