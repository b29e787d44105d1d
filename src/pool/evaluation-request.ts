import type { Failure } from '../errors.ts';
import type { ShapedFormat } from '../ldpath/shapes/format.ts';
import type { TraceLimits } from '../ldpath/trace/trace.ts';
import type { IriPatterns } from '../rdf/model/resources/iri-patterns.ts';

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
  /** Undefined for nodes. */
  readonly format?: ShapedFormat;
  /** Of CSV and TSV (see `ShapeOptions`). */
  readonly separator?: string;
}

/**
 * The content of the result's JSON:
 * - `result`: the result itself
 * - `details`: members of an object, without its braces: `"result":…`, `"skipped"`, an array of
 *   `{"field","message"}` for the values that did not convert, and `"filter":…` (whether the start
 *   passes) and `"boost":…` (a number) if the program has them
 * - `predicates`: a sorted array of the IRIs of the predicates that the selected nodes have
 * - `line`: `{"uri":…,"result":…}` and a line end, with `filter` and `boost` as above; in another
 *   format the document of the start resource, without the frame; nothing if the format has no
 *   document for a start that `@filter` rejects
 * - `accepted`: the same, and nothing at all for a start that `@filter` rejects
 * - `warnings`: nothing is evaluated; an array of `Warning` (ldpath 8.6)
 * - `check`: nothing is evaluated; a `Check`, which has the errors of compilation
 * - `traceability`: nothing is evaluated; see `Traceability`
 * - `frame`: nothing is evaluated; the `Frame` of a format other than nodes
 */
export const resultKinds = [
  'result',
  'line',
  'accepted',
  'details',
  'predicates',
  'warnings',
  'frame',
  'traceability',
  'check',
] as const;

export type ResultKind = (typeof resultKinds)[number];

/** Whether a result of this kind only needs the compiled program. */
export function isOnlyCompiled(kind: ResultKind | undefined): boolean {
  return kind === 'warnings' || kind === 'frame' || kind === 'traceability' || kind === 'check';
}

/** Whether the results of a program that a change affects can be found from the change alone. */
export interface Traceability {
  readonly incremental: boolean;
  /** Why not. */
  readonly reason?: string;
}

export interface Evaluation extends Selection {
  /** Start resource: an absolute IRI, or a blank node as `_:label`. */
  readonly start: string;
  /**
   * True if the resource is known to exist, although perhaps no triple mentions it (http-api R-1).
   */
  readonly known: boolean;
  /** Default: `result`. */
  readonly resultKind?: ResultKind;
  /**
   * Adds the member `"trace"` to the details of a program: a `Trace`, the `steps` and
   * `milliseconds` of the result, and the `budget` of both.
   */
  readonly trace?: TraceLimits;
  /** The graphs that are read; undefined: all. The pool sets it for the caller. */
  readonly visible?: IriPatterns;
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
