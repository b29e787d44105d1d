/**
 * Records the base of all URIs that the server makes (`--base`), see `base-registry.ts`. It may
 * also rename the IRIs that depend on another base.
 */
export interface BaseOperation {
  readonly kind: 'base';
  readonly base: string;
  /** A base that the new one replaces at the start of every IRI; null if nothing is renamed. */
  readonly renames: string | null;
  /** Bases whose unused root containers are removed. */
  readonly forgets: readonly string[];
}
