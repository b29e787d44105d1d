import { monotonicMs } from '../pool/threads/monotonic-clock.ts';

/** The steps of a SPARQL thread, in the order in which they happen. */
export const steps = ['starting', 'filling', 'following', 'evaluating', 'writing'] as const;
export type Step = (typeof steps)[number];

const STEP = 0;
const JOB = 1;
const PROGRESS = 2;
const THREAD_ID = 3;
const HOST_BUSY = 4;
const BEATS = 5;
const WORDS = 6;
const SINCE = 0;

/** The status of a thread, in shared memory. */
export class ThreadStatus {
  readonly buffer: SharedArrayBuffer;
  readonly #words: Int32Array;
  readonly #times: Float64Array;

  constructor(buffer = new SharedArrayBuffer(4 * WORDS + 8)) {
    this.buffer = buffer;
    this.#words = new Int32Array(buffer, 0, WORDS);
    this.#times = new Float64Array(buffer, 4 * WORDS);
  }

  get step(): Step {
    return steps[Atomics.load(this.#words, STEP)]!;
  }

  set step(step: Step) {
    Atomics.store(this.#words, STEP, steps.indexOf(step));
    this.beat();
  }

  /** Index in its batch of the job that is being evaluated. */
  get job(): number {
    return Atomics.load(this.#words, JOB);
  }

  /** When that job began, by `monotonicMs`; 0 if none has begun. */
  get since(): number {
    return Atomics.load(this.#words, JOB) < 0 ? 0 : this.#times[SINCE]!;
  }

  /** Number of quads loaded into the instance. */
  get progress(): number {
    return Atomics.load(this.#words, PROGRESS);
  }

  set progress(quads: number) {
    Atomics.store(this.#words, PROGRESS, quads);
    this.beat();
  }

  /** Changes as long as the thread makes progress. */
  get beats(): number {
    return Atomics.load(this.#words, BEATS);
  }

  /** Reports progress. */
  beat(): void {
    Atomics.add(this.#words, BEATS, 1);
  }

  /** The thread's id in the operating system; 0 if that is unknown. */
  get threadId(): number {
    return Atomics.load(this.#words, THREAD_ID);
  }

  set threadId(id: number) {
    Atomics.store(this.#words, THREAD_ID, id);
    this.beat();
  }

  /** Whether other processes use most of the machine. Then no thread runs at low priority. */
  get hostBusy(): boolean {
    return Atomics.load(this.#words, HOST_BUSY) !== 0;
  }

  set hostBusy(busy: boolean) {
    Atomics.store(this.#words, HOST_BUSY, busy ? 1 : 0);
  }

  /** Called when the thread receives a batch, or is new. */
  reset(step: Step): void {
    Atomics.store(this.#words, JOB, -1);
    this.progress = 0;
    this.step = step;
  }

  begin(job: number): void {
    this.#times[SINCE] = monotonicMs();
    this.step = 'evaluating';
    Atomics.store(this.#words, JOB, job);
  }
}
