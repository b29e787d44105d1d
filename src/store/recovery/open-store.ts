import { requireSingleDirectory } from '../../cluster/objects/cluster-file.ts';
import type { ClusterSettings } from '../../cluster/settings.ts';
import { assessJournal, type JournalContext } from '../../journal/assessment.ts';
import type { Disk } from '../../journal/disk/disk.ts';
import { openDisk } from '../../journal/disk/open-disk.ts';
import { type Journal, openJournal } from '../../journal/journal.ts';
import { JournalMeter } from '../../journal/meter.ts';
import { recoveryTable } from '../../journal/recovery-table.ts';
import { GraphTable } from '../../snapshot/graphs/table.ts';
import { SnapshotWriter } from '../../snapshot/write/snapshot-writer.ts';
import { findCheckpoint, removeAllBut, type StoredCheckpoint } from '../checkpoint/checkpoint.ts';
import type { FetchProgress } from '../cluster/shared-checkpoints.ts';
import { CommitBoard } from '../commit-board.ts';
import { Retention } from '../history/retention.ts';
import type { StoreSettings } from '../messages.ts';
import { PatchFiles } from '../patch/file-set.ts';
import {
  hasIdentity,
  type Identity,
  newIdentity,
  readIdentity,
  renewIdentity,
} from '../registry/identity.ts';
import type { Durability } from '../thread/durability.ts';
import { Store, type StoreParts } from '../thread/store.ts';
import { journalContext } from './journal-context.ts';
import { requireKnownFormats } from './known-formats.ts';
import { loadData } from './load-data.ts';
import { recoverSharedStore } from './open-shared.ts';
import { feedOf, type RecoverySettings } from './settings.ts';

type Notice = (message: string) => void;
type OnFetch = (progress: FetchProgress) => void;

/** The parts of a store that has a disk. */
export interface DurableParts extends StoreParts {
  readonly durability: Durability;
}

/**
 * Opens a data directory that the caller has locked, and recovers its data, or those of a shared
 * log; or opens an empty store in memory. `notice` receives messages for the operator, `onFetch`
 * the progress of a fetched checkpoint. Throws `data-damaged`, and with a shared log
 * `unavailable` and `bad-arguments`.
 */
export async function openStore(
  settings: StoreSettings,
  notice: Notice,
  onFetch: OnFetch = () => {},
): Promise<Store> {
  const { directory, lease, cluster } = settings;
  if (directory === null) return openMemoryStore(settings);
  const disk = await openDisk(directory, lease);
  if (!cluster) return recoverStore(disk, settings, notice);
  return openSharedStore(disk, cluster, settings, { notice, onFetch });
}

async function openSharedStore(
  disk: Disk,
  cluster: ClusterSettings,
  settings: StoreSettings,
  observer: { readonly notice: Notice; readonly onFetch: OnFetch },
): Promise<Store> {
  const { openSharedData } = await import('../../cluster/open-shared-data.ts');
  const shared = await openSharedData(cluster, {
    newIdentity: newIdentity(Date.now()),
    retention: settings.changesRetention,
    ...observer,
  });
  try {
    return await recoverSharedStore(disk, shared, settings);
  } catch (error) {
    await shared.log.abandon();
    throw error;
  }
}

function openMemoryStore(settings: StoreSettings): Store {
  return new Store({
    identity: newIdentity(Date.now()),
    writer: new SnapshotWriter(),
    graphs: new GraphTable(),
    sequence: 0,
    checkpointed: 0,
    dataMax: settings.dataMax,
    durability: null,
    now: Date.now,
    board: new CommitBoard(settings.commitBoard),
    patches: new PatchFiles(),
    bigWriteRows: settings.bigWriteRows ?? Number.POSITIVE_INFINITY,
    feed: feedOf(settings, 0),
  });
}

/**
 * Recovers the data on a disk: the checkpoint, then the journal. Then removes the files that the
 * checkpoint covers. Throws `newer-format` before it changes anything.
 */
export async function recoverStore(disk: Disk, settings: RecoverySettings, notice: Notice): Promise<Store> {
  return new Store(await recoverParts(disk, settings, notice));
}

/** Recovers the parts of a store without opening it, for offline loading. */
export async function recoverParts(
  disk: Disk,
  settings: RecoverySettings,
  notice: Notice,
): Promise<DurableParts> {
  await requireKnownFormats(disk);
  await requireSingleDirectory(disk);
  const checkpoint = await findCheckpoint(disk);
  await removeAllBut(disk, checkpoint);
  const context = await journalContext(disk, checkpoint);
  const retention = retentionOf(disk, checkpoint, settings);
  const known = (await hasIdentity(disk)) ? await identify(disk, context, settings) : undefined;
  const journal = await openJournal(disk, {
    ...context,
    recover: settings.recover,
    fence: settings.fence === true || settings.lease !== undefined,
    leased: settings.lease !== undefined,
    meter: new JournalMeter(settings.journalMeter),
    ...(retention && { retire: (file) => retention.retire(file) }),
    log: (finding) => {
      if (!['start', 'replay'].includes(recoveryTable[finding.case].outcome)) notice(finding.message);
    },
  });
  try {
    return await takeIn({ disk, checkpoint, journal, known, retention }, settings, notice);
  } catch (error) {
    await journal.abandon();
    throw error;
  }
}

interface FoundData {
  readonly disk: Disk;
  readonly checkpoint: StoredCheckpoint | undefined;
  readonly journal: Journal;
  /** Undefined if the directory does not have one yet. */
  readonly known: Identity | undefined;
  readonly retention: Retention | undefined;
}

async function takeIn(
  { disk, checkpoint, journal, known, retention }: FoundData,
  settings: RecoverySettings,
  notice: Notice,
): Promise<DurableParts> {
  // Written after the journal's first file, so that a directory with an identity must have a
  // journal.
  const now = settings.now ?? Date.now;
  const identity = known ?? (await readIdentity(disk, now()));
  const { writer, graphs, patches } = await loadData(disk, checkpoint, journal, { notice });
  const checkpointed = checkpoint?.sequence ?? 0;
  await journal.checkpointed(checkpointed);
  await retention?.adopt((name) => patches.has(name));
  if (settings.recover) await patches.moveOthersAside(disk);
  else await patches.removeOthers(disk);
  await retention?.prune();
  const { journalMax, dataMax, bigWriteRows = Number.POSITIVE_INFINITY } = settings;
  const checkpointBytes = checkpoint?.bytes ?? 0;
  const durability = { disk, log: journal, retention, journalMax, checkpointBytes };
  const sequence = journal.lastSequence;
  const board = new CommitBoard(settings.commitBoard);
  const limits = { dataMax, bigWriteRows };
  const state = { identity, writer, graphs, sequence, checkpointed, patches };
  const feed = feedOf(settings, sequence);
  return { ...state, ...limits, durability, now, board, feed };
}

/**
 * Returns what keeps the history, if the settings say how much. The journal has no rows of loaded
 * files: after a load, its files must not become part of a history.
 */
function retentionOf(
  disk: Disk,
  checkpoint: StoredCheckpoint | undefined,
  { changesRetention, now = Date.now }: RecoverySettings,
): Retention | undefined {
  const after = checkpoint?.loaded ? checkpoint.sequence : 0;
  return changesRetention && new Retention(disk, { ...changesRetention, after }, now);
}

/**
 * The numbers of discarded commits are used again, so the entity tags made from them must never
 * match again: the data set gets a new identity before any commit is discarded.
 */
async function identify(
  disk: Disk,
  context: JournalContext,
  { recover, now = Date.now }: RecoverySettings,
): Promise<Identity> {
  const identity = await readIdentity(disk, now());
  if (!recover) return identity;
  const { finding } = await assessJournal(disk, context);
  const { outcome, recoverable } = recoveryTable[finding.case];
  return outcome === 'fail' && recoverable ? renewIdentity(disk) : identity;
}
