import { assessJournal, type JournalContext } from '../journal/assessment.ts';
import type { Disk } from '../journal/disk.ts';
import { FencedDisk } from '../journal/fenced-disk.ts';
import { openJournal } from '../journal/journal.ts';
import { requireLease } from '../journal/lease.ts';
import { openNodeDisk } from '../journal/node-disk.ts';
import { recoveryTable } from '../journal/recovery-table.ts';
import { GraphTable } from '../snapshot/graph-table.ts';
import { SnapshotWriter } from '../snapshot/writer.ts';
import { findCheckpoint, removeAllBut } from './checkpoint.ts';
import { CommitBoard } from './commit-board.ts';
import { type Identity, newIdentity, readIdentity, renewIdentity } from './identity.ts';
import { journalContext } from './journal-context.ts';
import { loadData } from './load-data.ts';
import type { StoreSettings } from './messages.ts';
import { OxigraphRecord } from './oxigraph-record.ts';
import { PatchFiles } from './patch-files.ts';
import { loadRecord } from './record-loader.ts';
import { Store } from './store.ts';

type Notice = (message: string) => void;

/**
 * Opens a data directory, whose lock the caller has, and recovers what it holds; or opens an empty
 * store in memory. The store can be read then; its record is still to be loaded
 * (`Store.loadRecord`). `notice` is told what an operator should know. Error `data-damaged`.
 */
export async function openStore(settings: StoreSettings, notice: Notice): Promise<Store> {
  if (settings.directory === null) return openMemoryStore(settings);
  const { directory, lease } = settings;
  const disk = await openNodeDisk(directory);
  const fenced = lease ? new FencedDisk(disk, () => requireLease(lease)) : disk;
  return recoverStore(fenced, settings, notice);
}

function openMemoryStore(settings: StoreSettings): Store {
  return new Store({
    identity: newIdentity(Date.now()),
    record: new OxigraphRecord(settings.recordMax),
    writer: new SnapshotWriter(),
    graphs: new GraphTable(),
    sequence: 0,
    checkpointed: 0,
    durability: null,
    now: Date.now,
    board: new CommitBoard(settings.commitBoard),
    patches: new PatchFiles(),
    bulkRows: settings.bulkRows ?? Number.POSITIVE_INFINITY,
  });
}

/** Brings back what a disk holds: checkpoint, then journal, for readers; the record follows. */
export async function recoverStore(
  disk: Disk,
  settings: Omit<StoreSettings, 'directory'>,
  notice: Notice,
): Promise<Store> {
  const checkpoint = await findCheckpoint(disk);
  await removeAllBut(disk, checkpoint?.sequence);
  const checkpointed = checkpoint?.sequence ?? 0;
  const context = await journalContext(disk, checkpoint);
  const known = context.opened ? await identify(disk, context, settings.recover) : undefined;
  const journal = await openJournal(disk, {
    ...context,
    recover: settings.recover,
    fence: settings.lease !== undefined,
    log: (finding) => {
      if (!['start', 'replay'].includes(recoveryTable[finding.case].outcome)) notice(finding.message);
    },
  });
  // After the journal's first file, so that a directory with an identity must have a journal.
  const identity = known ?? (await readIdentity(disk, Date.now()));
  const record = new OxigraphRecord(settings.recordMax);
  const { writer, graphs, patches, replayed } = await loadData(disk, checkpoint, journal, notice);
  await patches.removeOthers(disk);
  const load = async (signal?: AbortSignal) => {
    await loadRecord(record, { disk, checkpoint, replayed }, writer.reader(), signal);
    await journal.removeThrough(checkpointed);
  };
  const durability = { disk, journal, journalMax: settings.journalMax };
  const sequence = journal.lastSequence;
  const board = new CommitBoard(settings.commitBoard);
  const now = Date.now;
  const bulkRows = settings.bulkRows ?? Number.POSITIVE_INFINITY;
  const state = { identity, record, writer, graphs, sequence, checkpointed };
  const parts = { ...state, durability, now, board, patches, bulkRows };
  return new Store(parts, load);
}

/**
 * Commits that are given up leave their numbers to others, so the entity tags made of them must not be seen again: the data
 * get a new identity, before anything is given up.
 */
async function identify(disk: Disk, context: JournalContext, recover: boolean): Promise<Identity> {
  const identity = await readIdentity(disk, Date.now());
  if (!recover) return identity;
  const { finding } = await assessJournal(disk, context);
  const { outcome, recoverable } = recoveryTable[finding.case];
  return outcome === 'refuse' && recoverable ? renewIdentity(disk, identity) : identity;
}
