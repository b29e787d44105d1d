/** Where a cluster's log is, and how to connect to it. Plain data, sent to the store thread. */
export interface ClusterSettings {
  /** `host:port` of log servers. */
  readonly servers: readonly string[];
  /** Name of the stream; the buckets begin with it. */
  readonly name: string;
  /** Whether connections use TLS. */
  readonly tls: boolean;
  /** Files in PEM; undefined uses the certificate authorities of the system, and no client key. */
  readonly caFile?: string | undefined;
  readonly certificateFile?: string | undefined;
  readonly keyFile?: string | undefined;
  /** A file of NATS credentials (JWT and seed). */
  readonly credentialsFile?: string | undefined;
  readonly user?: string | undefined;
  readonly password?: string | undefined;
  readonly token?: string | undefined;
  /** Copies of the log and of each object: 3, or 1 on a single server for trials. */
  readonly replicas: number;
  /** Name of this process, unique in the cluster: letters, digits and hyphens. */
  readonly process: string;
}
