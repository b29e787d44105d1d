/** A node of a result (http-api 4.1). */
export interface NodeObject {
  readonly type: 'uri' | 'bnode' | 'literal' | 'triple';
  readonly value: string;
  readonly lang?: string;
  readonly direction?: string;
  readonly datatype?: string;
}

/** The values of each field. */
export type Fields = Record<string, NodeObject[]>;

/** A value without its datatype and language (http-api P-51). */
export type PlainValue = string | number | boolean;

/** The plain values of each field, or a document of a search engine. */
export type PlainDocument = Record<string, PlainValue | PlainValue[] | null>;

/** The formats of single results (http-api 4.11). */
export type LineFormat = 'nodes' | 'values' | 'solr-documents' | 'bulk-documents';

/** The formats in which all results together are one text (http-api 4.11). */
export type TextFormat = 'csv' | 'tsv' | 'solr' | 'bulk' | 'jsonld';

/** The result of a program in a format. */
export type ResultIn<Format extends LineFormat> = Format extends 'nodes' ? Fields : PlainDocument;

/** What is evaluated: the text of a program or path, or a stored program by its name. */
export type Selection = { readonly program: string } | { readonly path: string } | { readonly name: string };

/** The result of a selection. */
export type ResultOf<Selected extends Selection> = Selected extends { readonly path: string }
  ? NodeObject[]
  : Fields;

export interface BatchResult<Result> {
  readonly uri: string;
  readonly result: Result;
  /** Values of `@filter` and `@boost`, if the program has them. */
  readonly filter?: boolean;
  readonly boost?: number;
  readonly error?: never;
}

export interface BatchFailure {
  readonly uri: string;
  readonly error: { readonly status: number; readonly code: string; readonly detail: string };
  readonly result?: never;
}

export type BatchLine<Result> = BatchResult<Result> | BatchFailure;

/** The last line of a batch. */
export interface BatchSummary {
  readonly count: number;
  readonly errors: number;
  /** Duration in milliseconds. */
  readonly ms: number;
  /** Only for a set: how many members were left out, and the commit as of which it was begun. */
  readonly filtered?: number;
  readonly position?: string;
  /** Only where `limit` has ended a set: the cursor for the rest. */
  readonly cursor?: string;
}

/**
 * The lines of a batch, one for each start resource. The request is sent when reading begins, and
 * cancelled when it ends early. The value of the end is the summary.
 */
export type BatchLines<Result> = AsyncGenerator<BatchLine<Result>, BatchSummary, undefined>;
