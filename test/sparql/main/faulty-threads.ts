import type { ThreadStatus } from '../../../src/sparql/thread-status.ts';

const HANGS = 0;
const CRASHES = 1;
const FILLING = 2;
const STARTS = 3;
const LINGERS = 4;
const IMAGES = 5;
const THROWS = 6;
const WORDS = 7;

/** A query that takes as long as the test says. */
export const SLOW = 'SELECT ?slow { ?slow ?p ?o }';

/** How often threads fail that run `faulty-worker.ts`, in memory that they share with the test. */
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

  /** Why a thread has no instance, if the test says so. */
  failure(): string | undefined {
    return Atomics.sub(this.#words, THROWS, 1) > 0 ? 'No term.' : undefined;
  }

  /** Whether threads fill without end; those that do so go on when it is false. */
  set filling(is: boolean) {
    Atomics.store(this.#words, FILLING, is ? 1 : 0);
    Atomics.notify(this.#words, FILLING);
  }

  /** Whether slow queries go on without end; those that do so end when it is false. */
  set slow(is: boolean) {
    Atomics.store(this.#words, LINGERS, is ? 1 : 0);
    Atomics.notify(this.#words, LINGERS);
  }

  /** Whether threads give an image when they have taken in the data. */
  set images(are: boolean) {
    Atomics.store(this.#words, IMAGES, are ? 1 : 0);
  }

  get images(): boolean {
    return Atomics.load(this.#words, IMAGES) === 1;
  }

  /** How often a thread began to take in data. */
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

  /** Evaluates a slow query. Time on a processor counts where they are to be quick. */
  linger(isQuickThread: boolean): void {
    while (isQuickThread && Atomics.load(this.#words, LINGERS) === 1);
    Atomics.wait(this.#words, LINGERS, 1);
  }
}
