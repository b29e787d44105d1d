import { readlinkSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

/** Of 19, the least. */
const NICE = 15;

const thread = ownThread();

/**
 * Runs a long job at a low priority of the system, so that evaluations and the main thread get a processor before it. Does
 * without where threads have no priority of their own (all but Linux), or where it could not be taken back afterwards
 * (without root's rights or CAP_SYS_NICE).
 */
export async function standBack<T>(job: () => T | Promise<T>): Promise<T> {
  if (thread === undefined) return job();
  setPriority(thread.id, NICE);
  try {
    return await job();
  } finally {
    setPriority(thread.id, thread.priority);
  }
}

/** This thread, where its priority can be raised: that is tried by going up and then back down, which is always allowed. */
function ownThread(): { readonly id: number; readonly priority: number } | undefined {
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
