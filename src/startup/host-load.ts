import { availableParallelism } from 'node:os';
import { throttledMs } from '../base/cgroup.ts';
import { callForward, ownThread, ownThreadIds, ProcessorClock } from '../base/thread-priority.ts';

const PERIOD_MS = 1_000;
/**
 * The machine is busy if one of our threads waits for a processor for at least this share of the
 * time,
 */
const WAITED_SHARE = 3 / 4;
/** and all of them together use less than this share of the processors. */
const USED_SHARE = 1 / 4;
/**
 * After it was busy, it is assumed to be busy for this long; then threads may lower their priority
 * again.
 */
const MEMORY_MS = 10_000;

/** Measurements of the process, all in milliseconds. */
export interface HostView {
  /** How long each thread has waited for a processor so far. */
  waited(): ReadonlyMap<number, number>;
  /** Processor time that the process has used so far. */
  used(): number;
  /** How long a quota for processor time (of a container) has throttled the process so far. */
  throttled(): number;
  readonly processors: number;
}

/**
 * Detects whether other processes use most of the machine. A thread of low priority then gets
 * hardly any processor time: it should yield to our own evaluations, but yields to other processes,
 * and large documents are never finished. So threads must not have low priority meanwhile.
 */
export class HostLoad {
  readonly #onChange: (busy: boolean) => void;
  readonly #view: HostView;
  #timer: NodeJS.Timeout | undefined;
  #at: number;
  #used: number;
  #throttled: number;
  #waited: ReadonlyMap<number, number>;
  #busyUntil = Number.NEGATIVE_INFINITY;
  #busy = false;

  /** `onChange` is called when the machine becomes busy, and when it no longer is. */
  constructor(onChange: (busy: boolean) => void, view: HostView = ownView, now = performance.now()) {
    this.#onChange = onChange;
    this.#view = view;
    this.#at = now;
    this.#used = view.used();
    this.#throttled = view.throttled();
    this.#waited = view.waited();
  }

  /** Starts to measure every second, if threads can have low priority. */
  start(): void {
    if (ownThread() === undefined) return;
    this.#timer = setInterval(() => this.look(performance.now()), PERIOD_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Compares the measurements with the previous ones. */
  look(now: number): void {
    const period = now - this.#at;
    const used = this.#view.used();
    const throttled = this.#view.throttled();
    const waited = this.#view.waited();
    // Threads also wait when our own load has used up a quota.
    const isUnlimited = throttled === this.#throttled;
    const isStarved = [...waited].some(
      ([thread, ms]) => ms - (this.#waited.get(thread) ?? ms) >= period * WAITED_SHARE,
    );
    if (isUnlimited && isStarved && used - this.#used < period * this.#view.processors * USED_SHARE)
      this.#busyUntil = now + MEMORY_MS;
    this.#at = now;
    this.#used = used;
    this.#throttled = throttled;
    this.#waited = waited;
    this.#change(now < this.#busyUntil);
  }

  #change(busy: boolean): void {
    if (busy === this.#busy) return;
    this.#busy = busy;
    this.#onChange(busy);
    if (busy) for (const id of ownThreadIds()) callForward(id);
  }
}

const ownView: HostView = {
  waited() {
    const entries = ownThreadIds().map((id): [number, number] => [id, waitedBy(id)]);
    return new Map(entries);
  },
  used() {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  },
  throttled: () => throttledMs(),
  processors: availableParallelism(),
};

function waitedBy(id: number): number {
  const clock = ProcessorClock.open(id);
  const waited = clock?.read()?.waited ?? 0;
  clock?.close();
  return waited;
}
