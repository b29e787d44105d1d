import type { ThreadStatus } from '../../../src/sparql/thread-status.ts';

const HANGS = 0;
const CRASHES = 1;
const FILLING = 2;
const STARTS = 3;
const LINGERS = 4;
const IMAGES = 5;
const THROWS = 6;
const WORDS = 7;

/** A query that runs until the test ends it. */
export const SLOW = 'SELECT ?slow { ?slow ?p ?o }';

/** Controls how threads that run `faulty-worker.ts` fail, in memory shared with the test. */
export class FaultyThreads {
  readonly buffer: SharedArrayBuffer;
  readonly #words: Int32Array;

  constructor(buffer = new SharedArrayBuffer(4 * WORDS)) {
    this.buffer = buffer;
    this.#words = new Int32Array(buffer);
  }

  set hangs(count: number) {
    Atomics.store(this.#words, HANGS, count);
  }

  set crashes(count: number) {
    Atomics.store(this.#words, CRASHES, count);
  }

  set throws(count: number) {
    Atomics.store(this.#words, THROWS, count);
  }

  /** Returns why a thread cannot fill an instance, if the test demands that failure. */
  failure(): string | undefined {
    return Atomics.sub(this.#words, THROWS, 1) > 0 ? 'No term.' : undefined;
  }

  /** While true, threads that fill an instance do not finish. */
  set filling(is: boolean) {
    Atomics.store(this.#words, FILLING, is ? 1 : 0);
    Atomics.notify(this.#words, FILLING);
  }

  /** While true, slow queries do not finish. */
  set slow(is: boolean) {
    Atomics.store(this.#words, LINGERS, is ? 1 : 0);
    Atomics.notify(this.#words, LINGERS);
  }

  /** Whether threads return an image after they have loaded the data. */
  set images(are: boolean) {
    Atomics.store(this.#words, IMAGES, are ? 1 : 0);
  }

  get images(): boolean {
    return Atomics.load(this.#words, IMAGES) === 1;
  }

  /** How often a thread began to load the data. */
  get starts(): number {
    return Atomics.load(this.#words, STARTS);
  }

  fail(status: ThreadStatus): void {
    Atomics.add(this.#words, STARTS, 1);
    if (Atomics.sub(this.#words, HANGS, 1) > 0) for (;;) status.threadId;
    if (Atomics.sub(this.#words, CRASHES, 1) > 0) process.exit(1);
  }

  fill(status: ThreadStatus): void {
    while (Atomics.load(this.#words, FILLING) === 1) {
      status.progress++;
      Atomics.wait(this.#words, FILLING, 1, 1);
    }
  }

  /** Evaluates a slow query, on the thread for quick queries with processor time. */
  linger(isQuickThread: boolean): void {
    while (isQuickThread && Atomics.load(this.#words, LINGERS) === 1);
    Atomics.wait(this.#words, LINGERS, 1);
  }
}
