/** How much may still be read, by look-ups that share it. */
export interface ReadAllowance {
  /** Number of quads, those of graphs that are not asked for included. */
  quads: number;
}
