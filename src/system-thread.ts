import { readlinkSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

/** A thread as the system knows it, with its usual priority. Its priority can be lowered, and raised again. */
export interface SystemThread {
  readonly id: number;
  readonly priority: number;
}

/** How much lower a thread's priority is while it stands back, of 19. Against a thread that does not, it then has a tenth of a core. */
const BACK = 10;
const LEAST = 19;

/**
 * The thread that asks. Undefined where threads have no priority of their own (all but Linux), or where it could not be
 * raised again (without root's rights or CAP_SYS_NICE): that is tried by going up and then back down, which is always allowed.
 */
export function ownThread(): SystemThread | undefined {
  try {
    const id = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
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
