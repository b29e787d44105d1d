import { ownThreadId, ProcessorClock } from '../src/system-thread.ts';

const clock = ProcessorClock.open(ownThreadId());

/**
 * Milliseconds that this thread has had: on a processor where that is known, else by the wall clock. The system counts them at
 * its own ticks, so this may be some milliseconds behind. Takes about 2 µs.
 */
export function ownTime(): number {
  return clock?.read()?.used ?? performance.now();
}
