/**
 * Records the base of all URIs that the server makes (`--base`). It changes other quads only as it is
 * told to; see `base-books.ts` for what is recorded, and what depends on it.
 */
export interface BaseOperation {
  readonly kind: 'base';
  readonly base: string;
  /** A base whose place it takes: every IRI that begins with that begins with the new one afterwards. Null: none. */
  readonly renames: string | null;
  /** Bases on which nothing depends: the root containers that were made for them go. */
  readonly forgets: readonly string[];
}
