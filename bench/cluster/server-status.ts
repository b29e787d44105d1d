const ANSWER_MS = 1000;

/** What a server of a cluster says about itself. */
export interface ServerStatus {
  /** The number of its newest commit. */
  readonly commit: number;
  /** Whether it executes all writes. */
  readonly holdsLease: boolean;
}

/** Asks a server; undefined if it does not answer at once. */
export async function statusOf(url: string): Promise<ServerStatus | undefined> {
  const signal = AbortSignal.timeout(ANSWER_MS);
  try {
    const response = await fetch(`${url}/metrics`, { signal });
    const metrics = await response.text();
    if (!response.ok) return undefined;
    return {
      commit: readingOf(metrics, 'pathpool_snapshot_commit'),
      holdsLease: readingOf(metrics, 'pathpool_cluster_lease_held') === 1,
    };
  } catch {
    return undefined;
  }
}

function readingOf(metrics: string, name: string): number {
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(metrics)?.[1]);
}
