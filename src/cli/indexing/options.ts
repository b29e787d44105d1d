/** Where the documents go. */
export type TargetChoice =
  | { readonly kind: 'file'; readonly directory: string }
  | { readonly kind: 'solr' | 'opensearch'; readonly url: string };

/** Options of `pathpool index`. */
export interface IndexOptions {
  /** Base URL of the Pathpool server, without a trailing slash. */
  readonly server: string;
  /** The stored program. */
  readonly program: string;
  readonly target: TargetChoice;
  /** Values of the `Authorization` header for the server and for the target. */
  readonly authorization: string | undefined;
  readonly targetAuthorization: string | undefined;
  /** Whether to end when the index is up to date. */
  readonly once: boolean;
  /** Whether to write the whole set again although there is an index. */
  readonly rebuild: boolean;
}
