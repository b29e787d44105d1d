import type { LineFormat, TextFormat } from './result-types.ts';
import type { CallOptions } from './sender.ts';

export interface EvaluationOptions extends CallOptions {
  /** Namespaces that need no declaration, besides those that the server knows. */
  readonly prefixes?: Readonly<Record<string, string>>;
}

/** A set of start resources that a stored program may declare. */
export type DeclaredStarts =
  | { readonly type: string }
  | { readonly graph: string }
  | { readonly subjects: true };

/** A set of start resources, of which those are left out for which `@filter` is false. */
export type StartSet =
  | DeclaredStarts
  /** What a path selects from these resources. */
  | { readonly path: string; readonly from: string | readonly string[] };

export type BatchOptions = BatchOfList | BatchOfSet;

interface BaseOptions extends EvaluationOptions {
  /**
   * Results in the order of `uris`, or in the order that a set has; otherwise as they are ready.
   */
  readonly ordered?: boolean;
}

/** Start resources that are listed. */
export interface BatchOfList extends BaseOptions {
  readonly uris: readonly string[];
  /** For a start resource that does not exist: an error, or a result with nothing selected. */
  readonly missing?: 'error' | 'empty';
}

/** All members of a set. */
export interface BatchOfSet extends BaseOptions {
  readonly starts: StartSet;
  /** Maximum number of members. */
  readonly limit?: number;
  /** Goes on after the results that came before this cursor. */
  readonly cursor?: string;
  /** Called before the first result; `total` is null if it is unknown. */
  readonly onStart?: (start: { readonly position: string; readonly total: number | null }) => void;
  /** Called, with `ordered`, from time to time: all earlier results have been delivered. */
  readonly onCursor?: (cursor: string) => void;
}

/** As `BatchOptions`, for a stored program. */
export type StoredBatchOptions =
  | Omit<BatchOfList, 'prefixes'>
  | Omit<BatchOfSet, 'prefixes' | 'starts'>
  | Omit<BatchOfSet, 'prefixes'>;

/** The format of results; `nodes` by default. */
export interface InFormat<Format extends LineFormat> {
  readonly format?: Format;
}

/** A batch whose results are one text. Without `uris` and `starts`: the set of a stored program. */
export type TextBatchOptions = (
  | BatchOfList
  | Omit<BatchOfSet, 'starts' | 'onStart' | 'onCursor'>
  | Omit<BatchOfSet, 'onStart' | 'onCursor'>
) & {
  readonly format: TextFormat;
  /** Between the values of a field in CSV and TSV; `|` by default. */
  readonly separator?: string;
};

/** RDF that is sent with its start resources: `uris`, or the members of a set. */
export type SentDataOptions = SentDataBase &
  ({ readonly uris: readonly string[] } | { readonly starts: DeclaredStarts });

interface SentDataBase extends EvaluationOptions {
  /** Media type of the RDF; `text/turtle` by default. */
  readonly type?: string;
  /** What relative IRIs of the data are resolved against; the base of the server by default. */
  readonly base?: string;
  readonly missing?: 'error' | 'empty';
}
