import type { Fields } from './path-results.ts';
import type { CallOptions, Conditions, Sender } from './sender.ts';

/** The start resources that a stored program declares. */
export type DeclaredStarts =
  | { readonly type: string }
  | { readonly graph: string }
  | { readonly subjects: true };

export interface ProgramDefinition {
  readonly program: string;
  /** By default all subjects that are IRIs. */
  readonly starts?: DeclaredStarts | null;
  /** Prefixes, besides those that the server knows. */
  readonly namespaces?: Readonly<Record<string, string>>;
}

/** A program that the server keeps, without its text. */
export interface ListedProgram {
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

export interface StoredReceipt extends Pick<ListedProgram, 'commit' | 'position' | 'tag'> {
  /** Warnings of the compiler; lines and columns from 1. */
  readonly warnings: readonly {
    readonly message: string;
    readonly line: number;
    readonly column: number;
  }[];
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
}

function pathOf(name: string): string {
  return `/ldpath/programs/${encodeURIComponent(name)}`;
}
