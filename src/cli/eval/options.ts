/** The start resources: those listed in a file, one per line, or the instances of a class. */
export type NamedStarts =
  | { readonly kind: 'file'; readonly file: string }
  | { readonly kind: 'type'; readonly type: string };

/** Like `NamedStarts`, or all subjects that are IRIs. */
export type Starts = NamedStarts | { readonly kind: 'all' };

/** The data that a program is evaluated on. */
export type Source =
  | { readonly kind: 'files'; readonly files: readonly string[]; readonly starts: Starts }
  | {
      readonly kind: 'server';
      /** Base URL, without a trailing slash. */
      readonly url: string;
      /** Value of the `Authorization` header. */
      readonly authorization: string | undefined;
      readonly starts: NamedStarts;
    };

/** Options of `pathpool eval`. */
export interface EvalOptions {
  /** File of the program. */
  readonly program: string;
  readonly source: Source;
  /** File to write to; standard output when undefined. */
  readonly out: string | undefined;
}
