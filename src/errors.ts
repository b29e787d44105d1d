import type { JournalErrorCode } from './journal/errors.ts';
import type { LdPathErrorCode } from './ldpath/errors.ts';
import type { RdfErrorCode } from './rdf/formats/errors.ts';
import type { SnapshotError } from './snapshot/errors.ts';

/**
 * The catalogue of error codes: those of the HTTP interface (http-api 1.10), and a few that occur
 * only at start-up. Statuses are defined elsewhere: `http/problem.ts` maps every code to one.
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
  'program-not-found',
  'task-not-found',
  'method-not-allowed',
  'not-acceptable',
  'body-timeout',
  'head-timeout',
  'bad-interaction-model',
  'gone',
  'position-gone',
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
  'loading',
  'cancelled',
  'shutting-down',
  'writes-disabled',
  'unavailable',
  'outcome-unknown',
  'keys-unavailable',
  'budget-exceeded',
  'time-limit',
  'sparql-unavailable',
  'store-full',
  'data-damaged',
  'newer-format',
  'data-locked',
] as const;

export type ErrorCode = (typeof errorCodes)[number];

/** Does not compile with a code that the catalogue lacks. */
type Catalogued<Code extends ErrorCode> = Code;

/** The codes of the error classes of modules that do not import this one. */
export type ModuleErrorCode = Catalogued<
  JournalErrorCode | LdPathErrorCode | RdfErrorCode | SnapshotError['code']
>;

/** Details of an error besides its message: plain data that can be sent between threads. */
export interface ErrorDetails {
  readonly uri?: string;
  /** 1-based, in characters of the offending text. */
  readonly line?: number;
  readonly column?: number;
  readonly source?: 'body' | 'data' | 'path' | 'program';
  readonly properties?: readonly string[];
  readonly available?: readonly string[];
  /** The oldest position from which changes are kept. */
  readonly oldest?: string;
  /** Seconds. */
  readonly retryAfter?: number;
  /** Values of `WWW-Authenticate`, if the error depends on them. Only headers have them. */
  readonly challenges?: readonly string[];
}

/** An error as data: it can be sent between threads and turned into a problem response. */
export interface ErrorData {
  readonly code: ErrorCode;
  readonly message: string;
  readonly details: ErrorDetails;
}

export type Result<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: ErrorData };

export type Failure = Extract<Result<never>, { readonly ok: false }>;

export function errorData(code: ErrorCode, message: string, details: ErrorDetails = {}): ErrorData {
  return { code, message, details };
}

export function failure(code: ErrorCode, message: string, details: ErrorDetails = {}): Failure {
  return { ok: false, error: errorData(code, message, details) };
}

/* Errors that several modules report. */

/** `what`: the graph, the resource or the data set, at the start of a sentence. */
export function wrongState(what: string, details: ErrorDetails = {}): Failure {
  return failure('precondition-failed', `${what} is not in the state that the request asks for.`, details);
}

export function noSuchGraph(uri: string): Failure {
  return failure('graph-not-found', `There is no graph <${uri}>.`, { uri });
}

export function noSuchResource(uri: string): Failure {
  return failure('resource-not-found', `There is no resource <${uri}>.`, { uri });
}

export function shuttingDown(details: ErrorDetails = {}): ErrorData {
  return errorData('shutting-down', 'The server is shutting down.', details);
}

export function noSuchProgram(name: string): Failure {
  return failure('program-not-found', `There is no stored program '${name}'.`);
}

/** An error with a code of the catalogue. */
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
 * The error of data in a format that only newer releases read. `what`: the file or message, at the
 * start of a sentence.
 */
export function newerFormat(what: string, found: number, known: number): AppError {
  const message = `${what} has format ${found}, and this release of Pathpool reads formats up to ${known}: a newer release has written it. Nothing was changed. Use that release or a newer one; or restore a backup from before the upgrade. If no newer release was ever used here, it is damaged.`;
  return new AppError('newer-format', message);
}

/**
 * Turns a thrown value into data. Errors of the language, the formats and the journal are
 * recognised by their `code`, so that those modules need not import this one. All other values
 * become `internal`.
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

/** The reverse of `toErrorData`, in the thread that receives the data. */
export function fromErrorData(data: ErrorData): AppError {
  return new AppError(data.code, data.message, data.details);
}
