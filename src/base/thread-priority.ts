import { closeSync, openSync, readdirSync, readlinkSync, readSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

/**
 * A thread of the operating system with its normal priority. Its priority can be lowered and
 * restored.
 */
export interface SystemThread {
  readonly id: number;
  readonly priority: number;
}

/**
 * The amount by which a thread's priority is lowered, of 19. Against a thread of normal priority it
 * then gets a tenth of a core.
 */
const BACK = 10;
const LEAST = 19;
const NANOSECONDS = 1e6;

/**
 * Returns the id of the calling thread; 0 if the system does not report it (all systems except
 * Linux).
 */
export function ownThreadId(): number {
  try {
    return Number(readlinkSync('/proc/thread-self').split('/').at(-1));
  } catch {
    return 0;
  }
}

/**
 * Returns the calling thread. Undefined if threads have no priority of their own (all systems
 * except Linux), or if a lowered priority could not be restored (without root's rights or
 * CAP_SYS_NICE). That is tested by raising the priority and then lowering it again, which is always
 * allowed.
 */
export function ownThread(): SystemThread | undefined {
  const id = ownThreadId();
  if (id === 0) return undefined;
  try {
    const priority = getPriority(id);
    setPriority(id, priority - 1);
    setPriority(id, priority);
    return { id, priority };
  } catch {
    return undefined;
  }
}

/**
 * Lowers the priority of a thread: threads of normal priority get a core before it does. Any thread
 * of the process may call this.
 */
export function lowerPriority({ id, priority }: SystemThread): void {
  setPriority(id, Math.min(LEAST, priority + BACK));
}

/** Reverts `lowerPriority`. */
export function restorePriority({ id, priority }: SystemThread): void {
  setPriority(id, priority);
}

/**
 * Reverts `lowerPriority` from another thread of the process with normal priority, usually the main
 * thread. Does nothing if priorities can't be lowered, or if the thread has normal priority or has
 * ended.
 */
export function callForward(id: number): void {
  const own = ownThread();
  if (!own || id === 0) return;
  try {
    if (getPriority(id) > own.priority) setPriority(id, own.priority);
  } catch {
    // The thread has ended meanwhile.
  }
}

/** Returns the ids of all threads of the process; none if the system does not report them. */
export function ownThreadIds(): number[] {
  try {
    return readdirSync('/proc/self/task').map(Number);
  } catch {
    return [];
  }
}

/** The scheduling statistics of a thread, in milliseconds since the thread started. */
export interface ProcessorUse {
  /** Time on a processor. */
  readonly used: number;
  /** Time ready to run, but without a processor. */
  readonly waited: number;
}

/**
 * Reads the scheduling statistics of a thread. Any thread of the process may do that; it takes
 * about 2 µs.
 */
export class ProcessorClock {
  readonly threadId: number;
  readonly #file: number;
  readonly #buffer = Buffer.alloc(80);

  private constructor(threadId: number, file: number) {
    this.threadId = threadId;
    this.#file = file;
  }

  /**
   * Returns undefined if the system does not report them (all systems except Linux), and for a
   * thread that has ended.
   */
  static open(threadId: number): ProcessorClock | undefined {
    if (threadId === 0) return undefined;
    try {
      return new ProcessorClock(threadId, openSync(`/proc/self/task/${threadId}/schedstat`, 'r'));
    } catch {
      return undefined;
    }
  }

  /** Returns undefined if the thread has ended. */
  read(): ProcessorUse | undefined {
    try {
      const length = readSync(this.#file, this.#buffer, 0, this.#buffer.length, 0);
      const [used, waited] = this.#buffer.toString('latin1', 0, length).split(' ');
      return { used: Number(used) / NANOSECONDS, waited: Number(waited) / NANOSECONDS };
    } catch {
      return undefined;
    }
  }

  close(): void {
    closeSync(this.#file);
  }
}
