import { lowerPriority, ownThread, restorePriority } from '../../base/thread-priority.ts';

const thread = ownThread();

/**
 * Runs a long job at a low priority of the operating system, where supported, so that evaluations
 * and the main thread get a core first.
 */
export async function withLowPriority<T>(job: () => T | Promise<T>): Promise<T> {
  if (!thread) return job();
  lowerPriority(thread);
  try {
    return await job();
  } finally {
    restorePriority(thread);
  }
}
