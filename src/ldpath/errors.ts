/**
 * The reasons for rejecting a program or its evaluation; the codes are those of the HTTP interface
 * (http-api 4.1, P-5).
 */
export type LdPathErrorCode =
  | 'parse-error'
  | 'unknown-prefix'
  | 'unknown-function'
  | 'bad-arguments'
  | 'budget-exceeded'
  | 'time-limit';

/**
 * Position and details, as plain data (ldpath 6.3). Absent if an error has no position in the text.
 */
export interface LdPathErrorDetails {
  /** 1-based; columns count code points. */
  readonly line?: number;
  readonly column?: number;
  /** The kind of text that contains the position. */
  readonly source?: 'path' | 'program';
  /** Text of the offending token, or `end of input`. */
  readonly found?: string;
  /** What was expected there instead. */
  readonly expected?: readonly string[];
  /** The offending line, for a caret display. */
  readonly sourceLine?: string;
}

export class LdPathError extends Error {
  override readonly name = 'LdPathError';
  readonly code: LdPathErrorCode;
  readonly details: LdPathErrorDetails;

  constructor(code: LdPathErrorCode, message: string, details: LdPathErrorDetails = {}) {
    super(message);
    this.code = code;
    this.details = details;
  }
}

/** Thrown when an evaluation is stopped from outside: it has no result, and no error of its own. */
export class EvaluationStopped extends LdPathError {
  constructor() {
    super('time-limit', 'The evaluation was interrupted.');
  }
}
