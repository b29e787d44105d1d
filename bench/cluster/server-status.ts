const ANSWER_MS = 1000;

/** What a server of a cluster says about itself. */
export interface ServerStatus {
  /** The number of its newest commit. */
  readonly commit: number;
  /** The name of the server that holds the lease, as far as it knows. */
  readonly holder: string | undefined;
}

/** Asks a server; undefined if it does not answer at once. */
export async function statusOf(url: string): Promise<ServerStatus | undefined> {
  const signal = AbortSignal.timeout(ANSWER_MS);
  try {
    const response = await fetch(`${url}/health`, { signal });
    const { cluster } = (await response.json()) as {
      cluster?: { commit: number; holder?: string | null };
    };
    return cluster && { commit: cluster.commit, holder: cluster.holder ?? undefined };
  } catch {
    return undefined;
  }
}

/** The holder of the lease that most of the servers that answer name. */
export function holderIn(statuses: readonly (ServerStatus | undefined)[]): string | undefined {
  const named = statuses.flatMap((status) => (status?.holder === undefined ? [] : [status.holder]));
  const votes = (name: string) => named.filter((other) => other === name).length;
  return named.toSorted((a, b) => votes(b) - votes(a))[0];
}
