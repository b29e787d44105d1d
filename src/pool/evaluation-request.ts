import type { Failure } from '../errors.ts';

/** A path or a program, and the namespaces to compile it with. */
export interface Selection {
  /**
   * With `path` the result is an array of node objects, with `program` an object of fields
   * (http-api 4.2, 4.3).
   */
  readonly mode: 'path' | 'program';
  readonly source: string;
  /** Prefixes besides the server's table, from `ns_…` parameters. */
  readonly namespaces?: Readonly<Record<string, string>>;
}

/**
 * The content of the result's JSON:
 * - `result`: the result itself
 * - `members`: members of an object, without its braces: `"result":…`, and `"filter":…` (whether
 *   the start passes) and `"boost":…` (a number) if the program has them
 * - `accepted`: the same, or nothing at all if the start does not pass
 * - `details`: the same as `members`, with `"skipped":[{"field","message"}]` for the values that
 *   did not convert
 * - `predicates`: a sorted array of the IRIs of the predicates that the selected nodes have
 * - `warnings`: nothing is evaluated; an array of `{"message","line","column"}` (ldpath 8.6)
 */
export const resultKinds = ['result', 'members', 'details', 'predicates', 'warnings', 'accepted'] as const;

export type ResultKind = (typeof resultKinds)[number];

export interface Evaluation extends Selection {
  /** Start resource: an absolute IRI, or a blank node as `_:label`. */
  readonly start: string;
  /**
   * True if the resource is known to exist, although perhaps no triple mentions it (http-api R-1).
   */
  readonly known: boolean;
  /** Default: `result`. */
  readonly resultKind?: ResultKind;
}

/** The JSON of one result, or the error. */
export type EvaluationResult = Evaluated | Failure;

export interface Evaluated {
  readonly ok: true;
  /** The bytes may be part of a larger buffer. */
  readonly value: Uint8Array;
  /** Number of the last commit of the data that were evaluated. */
  readonly sequence: number;
}
