import { toErrorData } from '../../errors.ts';
import type { CommitLog } from '../../journal/commit-log.ts';
import type { Disk } from '../../journal/disk/disk.ts';
import { JournalMeter } from '../../journal/meter.ts';
import { GraphTable } from '../../snapshot/graphs/table.ts';
import { findCheckpoint, removeAllBut, type StoredCheckpoint } from '../checkpoint/checkpoint.ts';
import { readSharedCheckpoint } from '../checkpoint/read-checkpoint.ts';
import type { SharedCheckpoints } from '../cluster/shared-checkpoints.ts';
import { SharedReplay } from '../cluster/shared-replay.ts';
import { StateDigest } from '../cluster/state-digest.ts';
import { CommitBoard } from '../commit-board.ts';
import { withWholeNames } from '../graphs/blank-graphs.ts';
import { WorkingGraphs } from '../graphs/working-graphs.ts';
import { PatchFiles } from '../patch/file-set.ts';
import type { Identity } from '../registry/identity.ts';
import { Store } from '../thread/store.ts';
import { requireKnownFormats } from './known-formats.ts';
import { mergingInto } from './load-data.ts';
import { feedOf, type RecoverySettings } from './settings.ts';

/** What the processes of a cluster share. */
export interface SharedData {
  readonly log: CommitLog;
  readonly identity: Identity;
  /** Undefined if they share no checkpoints: then the log has all records. */
  readonly checkpoints: SharedCheckpoints | undefined;
  /** See `SharedParts`. */
  readonly leastDead?: number;
}

/**
 * Opens a store with a shared log: the newest checkpoint is brought into the directory and loaded,
 * then the log is replayed. Throws `data-damaged` and `unavailable`.
 */
export async function recoverSharedStore(
  disk: Disk,
  shared: SharedData,
  settings: RecoverySettings,
): Promise<Store> {
  const { log, identity, checkpoints, leastDead } = shared;
  const { checkpoint, writer, graphs, digest, newest, sequence } = await loadNewest(disk, shared);
  const { journalMax, dataMax, bigWriteRows = Number.POSITIVE_INFINITY, now = Date.now } = settings;
  return new Store({
    identity,
    writer,
    graphs,
    sequence,
    checkpointed: checkpoint?.sequence ?? 0,
    dataMax,
    durability: { disk, log, journalMax, checkpointBytes: checkpoint?.bytes ?? 0 },
    shared: { log, checkpoints, digest, newest, leastDead, meter: new JournalMeter(settings.journalMeter) },
    now,
    board: new CommitBoard(settings.commitBoard),
    patches: new PatchFiles(),
    bigWriteRows,
    feed: feedOf(settings, sequence),
  });
}

/**
 * Loads the newest checkpoint and the log. While it is loaded, others may go on so far that the log
 * no longer has what follows; then there is a newer checkpoint to start again with.
 */
async function loadNewest(disk: Disk, { log, checkpoints }: SharedData) {
  await requireKnownFormats(disk);
  for (let tried = -1; ; ) {
    await checkpoints?.fetch(disk);
    const checkpoint = await findCheckpoint(disk);
    await removeAllBut(disk, checkpoint);
    try {
      return { checkpoint, ...(await loadShared(disk, checkpoint, log)) };
    } catch (error) {
      const { sequence } = checkpoint ?? { sequence: 0 };
      if (!checkpoints || sequence === tried || toErrorData(error).code !== 'data-damaged') throw error;
      tried = sequence;
      // The copy in this directory may be damaged: then the shared one is fetched.
      await removeAllBut(disk, undefined);
    }
  }
}

async function loadShared(disk: Disk, checkpoint: StoredCheckpoint | undefined, log: CommitLog) {
  const writer = await readSharedCheckpoint(disk, checkpoint);
  const graphs = new GraphTable();
  graphs.apply(withWholeNames(checkpoint?.graphs ?? [], writer.reader()));
  const digest = StateDigest.of(writer.descriptor);
  const working = new WorkingGraphs(graphs);
  const from = checkpoint?.sequence ?? 0;
  const replay = new SharedReplay({ writer, graphs: working, digest, apply: mergingInto(writer) }, from);
  const newest = Math.max(newestChange(graphs), checkpoint?.time ?? 0);
  await log.replay(from + 1, (sequence, payload, state) => replay.take(sequence, payload, state));
  replay.flush();
  working.publish();
  return { writer, graphs, digest, newest: Math.max(newest, replay.time), sequence: replay.sequence };
}

/** Returns the time of the newest change of a graph, in milliseconds since 1970. */
function newestChange(graphs: GraphTable): number {
  let newest = 0;
  for (const [, { modified }] of graphs.entries()) {
    newest = Math.max(newest, modified);
  }
  return newest;
}
