import type { DeclaredStarts, InFormat } from '../batch-options.ts';
import { changesUpToNow, followedChanges, type ReachedPosition } from '../change-lines.ts';
import type { LiveOptions } from '../live-events.ts';
import type { BatchFailure, BatchResult, Fields, LineFormat, ResultIn } from '../result-types.ts';
import type { CallOptions, Conditions, Sender } from '../sender.ts';

export interface ProgramDefinition {
  readonly program: string;
  /** By default all subjects that are IRIs. */
  readonly starts?: DeclaredStarts | null;
  /** Prefixes, besides those that the server knows. */
  readonly namespaces?: Readonly<Record<string, string>>;
}

/** How the changes of its results are found (http-api 7.4). */
interface Incremental {
  /** Whether they follow from the changes of the data alone. */
  readonly incremental: boolean;
  /** If not, why. */
  readonly reason?: string;
}

/** A program that the server keeps, without its text. */
export interface ListedProgram extends Incremental {
  readonly name: string;
  readonly starts: DeclaredStarts | null;
  /** Length of its text in UTF-8. */
  readonly bytes: number;
  /** Number of the commit that last changed it. */
  readonly commit: number;
  /** The commit as `<identity>.<commit>`. */
  readonly position: string;
  /** ISO 8601. */
  readonly modified: string;
  /** The entity tag for `ifMatch` and `ifNoneMatch`. */
  readonly tag: string;
}

export interface StoredProgram extends ListedProgram {
  readonly program: string;
  readonly namespaces: Readonly<Record<string, string>>;
}

export interface StoredReceipt extends Pick<ListedProgram, 'commit' | 'position' | 'tag'>, Incremental {
  /** Warnings of the compiler; lines and columns from 1. */
  readonly warnings: readonly {
    readonly message: string;
    readonly line: number;
    readonly column: number;
  }[];
}

/** A start resource that has no result any more. */
export interface RemovedResult {
  readonly uri: string;
  readonly deleted: true;
  readonly result?: never;
  readonly error?: never;
}

/** A changed result, and where to go on after it: the old position, until all are there. */
export type ResultChange<Result> =
  | ((
      | (BatchResult<Result> & { readonly deleted?: never })
      | (BatchFailure & { readonly deleted?: never })
      | RemovedResult
    ) & { readonly position: string })
  | ReachedPosition;

export interface ResultChangesOptions extends CallOptions {
  /** A position, or `0` for the oldest from which the changes are known. */
  readonly since: string;
  /** How long the server waits if there is nothing to report, in seconds; 60 at most. */
  readonly wait?: number;
}

/** Stored LDPath programs (http-api 4.12). */
export class ProgramCalls {
  readonly #sender: Sender;

  constructor(sender: Sender) {
    this.#sender = sender;
  }

  /** Returns all programs, sorted by name. */
  list(options?: CallOptions): Promise<ListedProgram[]> {
    return this.#sender.json('/ldpath/programs', {}, options);
  }

  get(name: string, options?: CallOptions): Promise<StoredProgram> {
    return this.#sender.json(pathOf(name), {}, options);
  }

  /** Stores a program; the same one again changes nothing. */
  put(name: string, definition: ProgramDefinition, options?: Conditions): Promise<StoredReceipt> {
    const request = { method: 'PUT', type: 'application/json', body: JSON.stringify(definition) };
    return this.#sender.json(pathOf(name), request, options);
  }

  async delete(name: string, options?: Conditions): Promise<void> {
    await this.#sender.status(pathOf(name), { method: 'DELETE' }, options);
  }

  /** Evaluates a program for a start resource. */
  evaluate(name: string, uri: string, options?: CallOptions): Promise<Fields> {
    return this.#sender.json(`${pathOf(name)}/results`, { parameters: { uri } }, options);
  }

  /**
   * Yields the start resources whose result was another at a position than now, and at the end the
   * position of now.
   * @throws ResyncError when they are not known
   */
  changes<Format extends LineFormat = 'nodes'>(
    name: string,
    { signal, ...parameters }: ResultChangesOptions & InFormat<Format>,
  ): AsyncGenerator<ResultChange<ResultIn<Format>>, void, undefined> {
    return changesUpToNow(this.#sender, `${pathOf(name)}/changes`, parameters, signal);
  }

  /**
   * Yields them as they happen, until its signal, and connects again when the connection is lost.
   * Each time all are there, the new position follows.
   * @throws ResyncError when they are not known
   */
  followChanges<Format extends LineFormat = 'nodes'>(
    name: string,
    { format, ...options }: LiveOptions & InFormat<Format> = {},
  ): AsyncGenerator<ResultChange<ResultIn<Format>>, void, undefined> {
    return followedChanges(this.#sender, `${pathOf(name)}/changes`, { format }, options);
  }
}

function pathOf(name: string): string {
  return `/ldpath/programs/${encodeURIComponent(name)}`;
}
