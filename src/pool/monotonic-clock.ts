const offset = Number(process.hrtime.bigint() / 1000n) / 1000 - performance.now();
/** Fixed at start, so that one moment always has the same time of day, whatever happens to the system's clock. */
const epochOffset = Date.now() - performance.now() - offset;

/** Milliseconds of a clock that all threads of the process share and that never steps. */
export function monotonicMs(): number {
  return performance.now() + offset;
}

/** A moment of `monotonicMs` in whole milliseconds since 1970. The same moment always has the same result. */
export function epochMs(monotonic: number): number {
  return Math.round(monotonic + epochOffset);
}
