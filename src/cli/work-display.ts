/** Where a command shows what it is doing. */
export interface WorkDisplay {
  /**
   * `done` of `total` of this work is done, in any unit. Without them, how much is left is unknown.
   */
  show(work: string, done?: number, total?: number): void;
}

/** Shows nothing. */
export const noDisplay: WorkDisplay = { show: () => {} };
