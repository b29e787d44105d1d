import { ownThread, stepBack, stepForward } from '../src/system-thread.ts';

const thread = ownThread();

/** Runs a long job at a low priority of the system, where it has them, so that evaluations and the main thread get a core before it. */
export async function standBack<T>(job: () => T | Promise<T>): Promise<T> {
  if (!thread) return job();
  stepBack(thread);
  try {
    return await job();
  } finally {
    stepForward(thread);
  }
}
