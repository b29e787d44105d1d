export interface Match {
  readonly index: number;
  /** Texts of the groups that took part; the first one is the whole match. */
  readonly groups: readonly (string | undefined)[];
}

/** What a search is charged to. */
export interface SearchMeter {
  /** Counts steps of the evaluation. @throws Error when there are no more, or no more time */
  work(steps: number): void;
  /** The error for a search that goes beyond a limit of its own. */
  exceeded(message: string): Error;
}

/** Runs one pattern. */
export interface Engine {
  /** All matches, from the left to the right. None begins or ends within a character. */
  matches(text: string, meter: SearchMeter): Iterable<Match>;
  isFoundIn(text: string, meter: SearchMeter): boolean;
}
