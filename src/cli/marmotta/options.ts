/** Options of `pathpool import-marmotta`. */
export interface MarmottaOptions {
  /** Base URL of the Pathpool server, without a trailing slash. */
  readonly server: string;
  /** Value of the `Authorization` header. */
  readonly authorization: string | undefined;
  /** Exports of Marmotta, in N-Quads or TriG. */
  readonly dumps: readonly string[];
  /** Marmotta's home directory, or a copy of it. */
  readonly home: string | undefined;
  /** Whether the triples outside of `/ldp` are on the server already. */
  readonly skipsData: boolean;
  /** File for the report as JSON. */
  readonly report: string | undefined;
}
