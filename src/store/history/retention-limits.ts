/** How much of the history is kept beyond the journal. */
export interface RetentionLimits {
  /** Bytes of all files together; 0 keeps none. */
  readonly bytes: number;
  /** How long a file is kept after a checkpoint has covered it, in milliseconds. */
  readonly ageMs: number;
}
