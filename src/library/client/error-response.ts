/** The members of a problem document (http-api 1.10). */
export interface Problem {
  readonly title?: string;
  readonly status?: number;
  readonly detail?: string;
  readonly instance?: string;
  readonly code?: string;
  readonly requestId?: string;
  /** The resource or graph concerned. */
  readonly uri?: string;
  /** Position in the text that was sent, from 1. */
  readonly line?: number;
  readonly column?: number;
  /** The text with the position. */
  readonly source?: 'body' | 'path' | 'program' | 'data';
  readonly sourceLine?: string;
  readonly found?: string;
  readonly expected?: readonly string[];
  /** IRIs of the properties that could not be stored. */
  readonly properties?: readonly string[];
  /** Types or codings that would work. */
  readonly available?: readonly string[];
  /** The oldest position from which changes are known. */
  readonly oldest?: string;
  /** Seconds after which to try again. */
  readonly retryAfter?: number;
}

/** A response that is an error. */
export class PathpoolError extends Error {
  override readonly name = 'PathpoolError';
  readonly status: number;
  /**
   * One of the codes of http-api 1.10; `unknown` if the response has no problem document, since it
   * is not of this server, or answers HEAD.
   */
  readonly code: string;
  readonly problem: Problem;

  constructor(status: number, problem: Problem) {
    super(problem.detail ?? `The response has the status ${status}.`);
    this.status = status;
    this.code = problem.code ?? 'unknown';
    this.problem = problem;
  }
}

/** The connection ended before the last line of a batch, so results are missing. */
export class IncompleteBatchError extends Error {
  override readonly name = 'IncompleteBatchError';
}

/**
 * The changes since a position are not known any more. Read everything again, and go on from a
 * position of before that. `cause` is the response, if that was an error.
 */
export class ResyncError extends Error {
  override readonly name = 'ResyncError';
}

const MAX_SHOWN = 500;

/** Reads an error response, whatever its type is: a proxy may have sent it. */
export async function errorOf(response: Response): Promise<PathpoolError> {
  const text = await response.text();
  if (response.headers.get('Content-Type')?.startsWith('application/problem+json')) {
    const problem = problemIn(text);
    if (problem !== undefined) return new PathpoolError(response.status, problem);
  }
  const detail = text.slice(0, MAX_SHOWN).trim();
  return new PathpoolError(response.status, detail === '' ? {} : { detail });
}

/** Returns undefined for a text that was cut off, and for that of HEAD, which is empty. */
function problemIn(text: string): Problem | undefined {
  try {
    return JSON.parse(text) as Problem;
  } catch {
    return undefined;
  }
}
