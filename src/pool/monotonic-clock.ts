const offset = Number(process.hrtime.bigint() / 1000n) / 1000 - performance.now();

/** Milliseconds of a clock that all threads of the process share and that never steps. */
export function monotonicMs(): number {
  return performance.now() + offset;
}
