/** What a program or its evaluation can be refused for; codes are those of the HTTP interface (http-api 4.1, P-5). */
export type LdPathErrorCode =
  | 'parse-error'
  | 'unknown-prefix'
  | 'unknown-function'
  | 'bad-arguments'
  | 'budget-exceeded'
  | 'time-limit';

/** Where and what, as plain data (ldpath 6.3). Absent where an error has no place in the text. */
export interface LdPathErrorDetails {
  /** 1-based; columns count code points. */
  readonly line?: number;
  readonly column?: number;
  /** Which kind of text the position is in. */
  readonly source?: 'path' | 'program';
  /** Text of the offending token, or `end of input`. */
  readonly found?: string;
  /** What could have stood there instead. */
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
