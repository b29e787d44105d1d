import type { CommitLog } from '../../journal/commit-log.ts';
import type { Disk } from '../../journal/disk/disk.ts';
import type { Retention } from '../history/retention.ts';

/** Where a durable store keeps its data. */
export interface Durability {
  readonly disk: Disk;
  readonly log: CommitLog;
  /** Takes over what checkpoints cover; by default that is removed. */
  readonly retention?: Retention | undefined;
  /** The minimum size of the log, in bytes, at which a checkpoint is made. */
  readonly journalMax: number;
  /** Size of the current checkpoint. */
  readonly checkpointBytes: number;
}
