/**
 * When a checkpoint is worth its writing. All of the data are written for it, so it waits until the
 * journal has a fair share of them: then at most four bytes of the last checkpoint are written
 * again for each byte of the journal.
 */
const SHARE = 1 / 4;
/** A checkpoint of this size costs nothing. */
const SMALL_BYTES = 2 ** 20;

/** Bytes of journal beyond which a checkpoint is to follow on one of `checkpointBytes`. */
export function journalLimit(journalMax: number, checkpointBytes: number): number {
  return Math.max(journalMax, SHARE * (checkpointBytes - SMALL_BYTES));
}

/**
 * Bytes written, to the journal and for the checkpoint, for each byte of the journal; in
 * hundredths.
 */
export function writeAmplification(journalBytes: number, checkpointBytes: number): number {
  return Math.round((100 * (journalBytes + checkpointBytes)) / Math.max(1, journalBytes)) / 100;
}
