/** A process of the cluster, and its address for the others. */
export interface PeerAddress {
  readonly process: string;
  readonly url: string;
}

/** The cluster as this process sees it. */
export interface ClusterView {
  /** Whether this process holds the lease, and so executes requests that write. */
  readonly holdsLease: boolean;
  /** The process that holds it, as far as this one knows. */
  readonly holder: PeerAddress | undefined;
  /** All processes, this one among them. */
  readonly members: readonly PeerAddress[];
  /** Whether `members` is up to date. */
  readonly isConnected: boolean;
  /** Resolves at the next change of the holder, or after this time in milliseconds. */
  change(limitMs: number): Promise<void>;
}
