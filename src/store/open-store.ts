import type { Disk } from '../journal/disk.ts';
import { JournalError } from '../journal/errors.ts';
import { type Journal, openJournal } from '../journal/journal.ts';
import { type Lock, lockDirectory } from '../journal/lock.ts';
import { openNodeDisk } from '../journal/node-disk.ts';
import { recoveryTable } from '../journal/recovery-table.ts';
import { GraphTable } from '../snapshot/graph-table.ts';
import { SnapshotWriter } from '../snapshot/writer.ts';
import { type Checkpoint, findCheckpoint, removeAllBut } from './checkpoint.ts';
import { readCheckpointImage, readCheckpointQuads } from './checkpoint-reader.ts';
import { newIdentity, readIdentity } from './identity.ts';
import type { StoreSettings } from './messages.ts';
import { OxigraphRecord } from './oxigraph-record.ts';
import { Replay } from './replay.ts';
import { Store } from './store.ts';
import { WorkingGraphs } from './working-graphs.ts';

type Notice = (message: string) => void;

/**
 * Opens a data directory and recovers what it holds, or opens an empty store in memory. `notice` is told what an operator
 * should know. Errors: `data-locked`, `data-damaged`.
 */
export async function openStore(settings: StoreSettings, notice: Notice): Promise<Store> {
  if (settings.directory === null) return openMemoryStore(settings.recordMax);
  const disk = await openNodeDisk(settings.directory);
  const lock = await lockDirectory(settings.directory);
  try {
    return await recoverStore(disk, lock, settings, notice);
  } catch (error) {
    await lock.release();
    throw error;
  }
}

function openMemoryStore(recordMax: number): Store {
  return new Store({
    identity: newIdentity(Date.now()),
    record: new OxigraphRecord(recordMax),
    writer: new SnapshotWriter(),
    graphs: new GraphTable(),
    sequence: 0,
    checkpointed: 0,
    durability: null,
    now: Date.now,
  });
}

/** Brings back what a disk holds: checkpoint, then journal. `lock` is released when the store is closed. */
export async function recoverStore(
  disk: Disk,
  lock: Lock,
  settings: Omit<StoreSettings, 'directory'>,
  notice: Notice,
): Promise<Store> {
  const identity = await readIdentity(disk, Date.now());
  const checkpoint = await findCheckpoint(disk);
  await removeAllBut(disk, checkpoint?.sequence);
  const checkpointed = checkpoint?.sequence ?? 0;
  const journal = await openJournal(disk, {
    checkpoint: checkpointed,
    recover: settings.recover,
    log: (finding) => {
      if (!['start', 'replay'].includes(recoveryTable[finding.case].outcome)) notice(finding.message);
    },
  });
  const record = new OxigraphRecord(settings.recordMax);
  const graphs = new GraphTable();
  const writer = checkpoint ? await loadCheckpoint(disk, checkpoint, record, notice) : new SnapshotWriter();
  graphs.apply(checkpoint?.graphs ?? []);
  await replayJournal(journal, checkpointed, writer, record, graphs);
  await journal.removeThrough(checkpointed);
  const durability = { disk, journal, lock, journalMax: settings.journalMax };
  const sequence = journal.lastSequence;
  return new Store({ identity, record, writer, graphs, sequence, checkpointed, durability, now: Date.now });
}

async function loadCheckpoint(
  disk: Disk,
  checkpoint: Checkpoint,
  record: OxigraphRecord,
  notice: Notice,
): Promise<SnapshotWriter> {
  const stored = await readCheckpointImage(disk, checkpoint, notice);
  const writer = stored ?? new SnapshotWriter();
  await readCheckpointQuads(disk, checkpoint, record, stored ? undefined : writer);
  return writer;
}

async function replayJournal(
  journal: Journal,
  checkpointed: number,
  writer: SnapshotWriter,
  record: OxigraphRecord,
  graphs: GraphTable,
): Promise<void> {
  const working = new WorkingGraphs(graphs);
  const replay = new Replay(writer, record, working);
  await journal.replay(checkpointed + 1, (sequence, payload) => {
    try {
      replay.take(sequence, payload);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const message = `Record ${sequence} of the journal can't be taken in: ${reason}`;
      throw new JournalError('data-damaged', message, { sequence }, error);
    }
  });
  replay.flush();
  working.publish();
}
