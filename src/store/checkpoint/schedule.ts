/**
 * When a checkpoint is worth writing. It writes all data, so it waits until the journal has reached
 * a quarter of their size: then at most four bytes of the last checkpoint are rewritten for each
 * byte of the journal.
 */
const SHARE = 1 / 4;
/** The cost of a checkpoint up to this size is negligible. */
const SMALL_BYTES = 2 ** 20;

/**
 * Returns the journal size, in bytes, above which the next checkpoint follows one of
 * `checkpointBytes`.
 */
export function journalLimit(journalMax: number, checkpointBytes: number): number {
  return Math.max(journalMax, SHARE * (checkpointBytes - SMALL_BYTES));
}

/**
 * Returns the bytes written to the journal and for the checkpoint per byte of the journal, rounded
 * to hundredths.
 */
export function writeAmplification(journalBytes: number, checkpointBytes: number): number {
  return Math.round((100 * (journalBytes + checkpointBytes)) / Math.max(1, journalBytes)) / 100;
}
