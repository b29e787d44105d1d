import { closeSync, openSync, readdirSync, readlinkSync, readSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

/** A thread as the system knows it, with its usual priority. Its priority can be lowered, and raised again. */
export interface SystemThread {
  readonly id: number;
  readonly priority: number;
}

/** How much lower a thread's priority is while it stands back, of 19. Against a thread that does not, it then has a tenth of a core. */
const BACK = 10;
const LEAST = 19;
const NANOSECONDS = 1e6;

/** The id of the thread that asks; 0 where the system does not tell (all but Linux). */
export function ownThreadId(): number {
  try {
    return Number(readlinkSync('/proc/thread-self').split('/').at(-1));
  } catch {
    return 0;
  }
}

/**
 * The thread that asks. Undefined where threads have no priority of their own (all but Linux), or where it could not be
 * raised again (without root's rights or CAP_SYS_NICE): that is tried by going up and then back down, which is always allowed.
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

/** Threads that do not stand back get a core before this one does. Any thread of the process may say so. */
export function stepBack({ id, priority }: SystemThread): void {
  setPriority(id, Math.min(LEAST, priority + BACK));
}

/** Undoes `stepBack`. */
export function stepForward({ id, priority }: SystemThread): void {
  setPriority(id, priority);
}

/**
 * Undoes `stepBack` from another thread of the process, the main thread usually, whose own priority is the usual one.
 * Does nothing where threads can't stand back, and for a thread that does not or has ended.
 */
export function callForward(id: number): void {
  const own = ownThread();
  if (!own || id === 0) return;
  try {
    if (getPriority(id) > own.priority) setPriority(id, own.priority);
  } catch {
    // It has ended meanwhile.
  }
}

/** Of all threads of the process; none where the system does not tell. */
export function ownThreadIds(): number[] {
  try {
    return readdirSync('/proc/self/task').map(Number);
  } catch {
    return [];
  }
}

/** What the scheduler of the system says of a thread, in milliseconds since the thread began. */
export interface ProcessorUse {
  /** On a processor. */
  readonly used: number;
  /** Ready to run, but without a processor. */
  readonly waited: number;
}

/** Tells how much of a processor a thread has had. Any thread of the process may ask; it takes about 2 µs. */
export class ProcessorClock {
  readonly threadId: number;
  readonly #file: number;
  readonly #buffer = Buffer.alloc(80);

  private constructor(threadId: number, file: number) {
    this.threadId = threadId;
    this.#file = file;
  }

  /** Undefined where the system does not tell (all but Linux), and for a thread that has ended. */
  static open(threadId: number): ProcessorClock | undefined {
    if (threadId === 0) return undefined;
    try {
      return new ProcessorClock(threadId, openSync(`/proc/self/task/${threadId}/schedstat`, 'r'));
    } catch {
      return undefined;
    }
  }

  /** Undefined when the thread has ended. */
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
