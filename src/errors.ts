/**
 * The catalogue of coded errors. Codes are those of the HTTP interface (http-api 1.10) plus a few that
 * only start-up can meet. Nothing here knows a status: `http/problem.ts` maps every code to one.
 */
export const errorCodes = [
  'bad-iri',
  'missing-parameter',
  'bad-query',
  'parse-error',
  'bad-term',
  'unknown-prefix',
  'unknown-function',
  'bad-arguments',
  'remote-context',
  'empty-body',
  'bad-path',
  'unauthorized',
  'forbidden',
  'cross-origin',
  'not-found',
  'graph-not-found',
  'graph-exists',
  'resource-not-found',
  'content-not-found',
  'function-not-found',
  'task-not-found',
  'method-not-allowed',
  'not-acceptable',
  'body-timeout',
  'bad-interaction-model',
  'gone',
  'constraint-violation',
  'type-conflict',
  'container-not-empty',
  'parent-not-container',
  'parent-gone',
  'reserved-name',
  'unsupported-patch',
  'unsupported-sparql',
  'precondition-required',
  'server-managed',
  'ldp-managed',
  'precondition-failed',
  'too-large',
  'bad-range',
  'misdirected',
  'unsupported-media-type',
  'unsupported-coding',
  'expectation-failed',
  'quarantined',
  'too-many-requests',
  'head-too-large',
  'internal',
  'unknown-method',
  'overloaded',
  'cancelled',
  'shutting-down',
  'writes-disabled',
  'budget-exceeded',
  'time-limit',
  'sparql-unavailable',
  'store-full',
  'data-damaged',
  'data-locked',
] as const;

export type ErrorCode = (typeof errorCodes)[number];

/** What an error says beside its message; all of it plain data, fit to cross a thread border. */
export interface ErrorDetails {
  readonly uri?: string;
  /** 1-based, in characters of the offending text. */
  readonly line?: number;
  readonly column?: number;
  readonly source?: 'body' | 'path' | 'program';
  readonly properties?: readonly string[];
  readonly available?: readonly string[];
  /** Seconds. */
  readonly retryAfter?: number;
}

/** An error as data: what crosses a thread border and what a problem response is made of. */
export interface ErrorData {
  readonly code: ErrorCode;
  readonly message: string;
  readonly details: ErrorDetails;
}

export type Result<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: ErrorData };

export type Failure = Extract<Result<never>, { readonly ok: false }>;

export function failure(code: ErrorCode, message: string, details: ErrorDetails = {}): Failure {
  return { ok: false, error: { code, message, details } };
}

/** An operating fault with a code of the catalogue. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.details = details;
  }
}

const known: ReadonlySet<string> = new Set(errorCodes);

/**
 * Any thrown value as data. Errors of the language, the formats and the journal are recognised by their
 * `code` alone, so that those modules need not import this one; all else is `internal`.
 */
export function toErrorData(error: unknown): ErrorData {
  if (error instanceof Error) {
    const { code, details } = error as Error & { code?: unknown; details?: ErrorDetails };
    if (typeof code === 'string' && known.has(code)) {
      return { code: code as ErrorCode, message: error.message, details: details ?? {} };
    }
    return { code: 'internal', message: error.message, details: {} };
  }
  return { code: 'internal', message: String(error), details: {} };
}

/** The reverse of `toErrorData`, on the near side of a thread border. */
export function fromErrorData(data: ErrorData): AppError {
  return new AppError(data.code, data.message, data.details);
}
