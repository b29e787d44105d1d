import { availableParallelism } from 'node:os';
import { throttledMs } from './cgroup.ts';
import { callForward, ownThread, ownThreadIds, ProcessorClock } from './system-thread.ts';

const PERIOD_MS = 1_000;
/** The machine is busy when one of our threads waits for a processor for such a part of the time, */
const WAITED_SHARE = 3 / 4;
/** though all of them together have less than such a part of the processors. */
const USED_SHARE = 1 / 4;
/** It is taken to stay so for as long as this; then threads may try again. */
const MEMORY_MS = 10_000;

/** What the process looks like from outside; all in milliseconds. */
export interface HostView {
  /** By thread: how long each has waited for a processor so far. */
  waited(): ReadonlyMap<number, number>;
  /** What the process has used of all processors so far. */
  used(): number;
  /** How long a quota for processor time (of a container) has held up the process so far. */
  throttled(): number;
  readonly processors: number;
}

/**
 * Notices when other processes have most of the machine. A thread of low priority gets next to nothing then: what was meant
 * to leave a processor to our own evaluations leaves it to strangers, and big documents never end. So threads
 * are not to stand back meanwhile.
 */
export class HostLoad {
  /** Called when it becomes busy, and when it is no longer. */
  onChange: (busy: boolean) => void = () => {};
  readonly #view: HostView;
  #timer: NodeJS.Timeout | undefined;
  #at: number;
  #used: number;
  #throttled: number;
  #waited: ReadonlyMap<number, number>;
  #busyUntil = Number.NEGATIVE_INFINITY;
  #busy = false;

  constructor(view: HostView = ownView, now = performance.now()) {
    this.#view = view;
    this.#at = now;
    this.#used = view.used();
    this.#throttled = view.throttled();
    this.#waited = view.waited();
  }

  get busy(): boolean {
    return this.#busy;
  }

  /** Looks every second from now on, where threads can stand back. */
  start(): void {
    if (ownThread() === undefined) return;
    this.#timer = setInterval(() => this.look(performance.now()), PERIOD_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Compares with the last time. */
  look(now: number): void {
    const period = now - this.#at;
    const used = this.#view.used();
    const throttled = this.#view.throttled();
    const waited = this.#view.waited();
    // Threads also wait when it is our own load that has used up a quota.
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
    this.onChange(busy);
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
