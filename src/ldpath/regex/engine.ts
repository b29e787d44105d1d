export interface Match {
  readonly index: number;
  /** The texts of the groups that took part in the match; the first one is the whole match. */
  readonly groups: readonly (string | undefined)[];
}

/** Receives the charges for a search. */
export interface SearchMeter {
  /** Counts steps of the evaluation. @throws Error if no steps, or no time, are left */
  work(steps: number): void;
  /** Returns the error for a search that exceeds a limit of its own. */
  exceeded(message: string): Error;
}

/** Runs a single pattern. */
export interface Engine {
  /** Returns all matches from left to right. No match begins or ends within a surrogate pair. */
  matches(text: string, meter: SearchMeter): Iterable<Match>;
  isFoundIn(text: string, meter: SearchMeter): boolean;
}
