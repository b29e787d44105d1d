/**
 * Records the base of all URIs that the server makes (`--base`), see `base-books.ts`; may rename
 * what depends on another base.
 */
export interface BaseOperation {
  readonly kind: 'base';
  readonly base: string;
  /** A base that the new one replaces at the beginning of every IRI; null for none. */
  readonly renames: string | null;
  /** Bases whose unused root containers are removed. */
  readonly forgets: readonly string[];
}
