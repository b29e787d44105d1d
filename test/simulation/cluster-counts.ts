/** What happened in runs of a cluster, to know that they meet what they are made for. */
export interface ClusterCounts {
  commits: number;
  /** Transactions that were rejected because of a precondition. */
  refusals: number;
  /** Transactions that were rejected because the log could not be reached, or by a follower. */
  unavailable: number;
  /** Transactions that were never acknowledged and are there. */
  unacknowledged: number;
  /** Records that a store took in from others. */
  foreign: number;
  checkpoints: number;
  compactions: number;
  /** Commits after which all processes drop unused terms. */
  drops: number;
  kills: number;
  /** Transactions whose changes pool threads worked out. */
  bigWrites: number;
  /** Processes that met a purged record, and had to start again. */
  overtaken: number;
}

export function newClusterCounts(): ClusterCounts {
  return {
    commits: 0,
    refusals: 0,
    unavailable: 0,
    unacknowledged: 0,
    foreign: 0,
    checkpoints: 0,
    compactions: 0,
    drops: 0,
    kills: 0,
    bigWrites: 0,
    overtaken: 0,
  };
}
