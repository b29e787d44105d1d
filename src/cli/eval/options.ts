import type { ShapeOptions } from '../../ldpath/shapes/format.ts';
import type { StartSet } from '../../rdf/model/resources/start-set.ts';

/** The start resources: those listed in a file, one per line, or the members of a set. */
export type Starts =
  | { readonly kind: 'file'; readonly file: string }
  | { readonly kind: 'set'; readonly set: StartSet };

/** A program in a file, or one that the server has stored. */
export type ProgramChoice =
  | { readonly kind: 'file'; readonly file: string }
  | { readonly kind: 'stored'; readonly name: string };

/** A program on files. */
export interface FilesSource {
  readonly kind: 'files';
  /** File of the program. */
  readonly program: string;
  readonly files: readonly string[];
  readonly starts: Starts;
}

/** A program on the data of a server. */
export interface ServerSource {
  readonly kind: 'server';
  readonly program: ProgramChoice;
  /** Base URL, without a trailing slash. */
  readonly url: string;
  /** Value of the `Authorization` header. */
  readonly authorization: string | undefined;
  /** Undefined for the set that the stored program declares. */
  readonly starts: Starts | undefined;
}

/** Options of `pathpool eval`. */
export interface EvalOptions {
  readonly source: FilesSource | ServerSource;
  /** Undefined for nodes. */
  readonly shape: ShapeOptions | undefined;
  /** File to write to; standard output when undefined. */
  readonly out: string | undefined;
}
