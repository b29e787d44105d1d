const offset = Number(process.hrtime.bigint() / 1000n) / 1000 - performance.now();
/**
 * Fixed at start-up, so that one moment always has the same time of day, even if the system clock
 * changes.
 */
const epochOffset = Date.now() - performance.now() - offset;

/** Returns milliseconds of a clock that all threads of the process share and that never jumps. */
export function monotonicMs(): number {
  return performance.now() + offset;
}

/**
 * Converts a time of `monotonicMs` to whole milliseconds since 1970. The same time always has the
 * same result.
 */
export function epochMs(monotonic: number): number {
  return Math.round(monotonic + epochOffset);
}
