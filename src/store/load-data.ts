import { assessJournal, type Finding, keptFiles } from '../journal/assessment.ts';
import type { Disk } from '../journal/disk.ts';
import { JournalError } from '../journal/errors.ts';
import { requireSound } from '../journal/recovery.ts';
import { replayFiles, type VisitRecord } from '../journal/replay-files.ts';
import type { Changes } from '../snapshot/changes.ts';
import { GraphTable } from '../snapshot/graph-table.ts';
import { SnapshotWriter } from '../snapshot/writer.ts';
import { type Checkpoint, findCheckpoint } from './checkpoint.ts';
import { readCheckpointImage, readCheckpointSnapshot } from './checkpoint-reader.ts';
import { journalContext } from './journal-context.ts';
import type { OxigraphRecord } from './oxigraph-record.ts';
import { PatchFiles } from './patch-files.ts';
import { loadRecord } from './record-loader.ts';
import { Replay } from './replay.ts';
import { WorkingGraphs } from './working-graphs.ts';

type Notice = (message: string) => void;

export interface LoadedData {
  readonly writer: SnapshotWriter;
  readonly graphs: GraphTable;
  /** The files that records of the journal name. */
  readonly patches: PatchFiles;
  /** What the journal changed since the checkpoint, in order. */
  readonly replayed: readonly Changes[];
}

export interface ReadData extends Omit<LoadedData, 'replayed' | 'patches'> {
  readonly checkpoint: Checkpoint | undefined;
  /** Number of the newest commit. */
  readonly sequence: number;
  /** How the journal ends. */
  readonly finding: Finding;
}

/** The journal, as far as it is needed here. */
interface Records {
  replay(fromSequence: number, visit: VisitRecord): Promise<void>;
}

/**
 * What a start would find on a disk, of which nothing is changed. Without `record` the snapshot alone is made. Errors:
 * `data-damaged` where a start would be refused.
 */
export async function readData(
  disk: Disk,
  record: OxigraphRecord | undefined,
  notice: Notice,
): Promise<ReadData> {
  const checkpoint = await findCheckpoint(disk);
  const assessment = await assessJournal(disk, await journalContext(disk, checkpoint));
  const { finding } = assessment;
  requireSound(finding);
  const files = keptFiles(assessment);
  const replay = (from: number, visit: VisitRecord) => replayFiles(disk, files, from, visit);
  const { writer, graphs, replayed } = await loadData(disk, checkpoint, { replay }, notice);
  const sequence = Math.max(checkpoint?.sequence ?? 0, files.at(-1)?.lastSequence ?? 0);
  writer.publish(sequence);
  if (record) await loadRecord(record, { disk, checkpoint, replayed }, writer.reader());
  return { writer, graphs, checkpoint, sequence, finding };
}

/** Loads checkpoint and journal into a snapshot and the table of graphs. */
export async function loadData(
  disk: Disk,
  checkpoint: Checkpoint | undefined,
  journal: Records,
  notice: Notice,
): Promise<LoadedData> {
  const graphs = new GraphTable();
  const writer = checkpoint ? await loadCheckpoint(disk, checkpoint, notice) : new SnapshotWriter();
  graphs.apply(checkpoint?.graphs ?? []);
  const patches = new PatchFiles();
  const working = new WorkingGraphs(graphs);
  const replay = new Replay(writer, working, disk, patches);
  await replayJournal(journal, checkpoint?.sequence ?? 0, replay);
  working.publish();
  return { writer, graphs, patches, replayed: replay.taken };
}

async function loadCheckpoint(disk: Disk, checkpoint: Checkpoint, notice: Notice): Promise<SnapshotWriter> {
  const stored = await readCheckpointImage(disk, checkpoint, notice);
  return stored ?? readCheckpointSnapshot(disk, checkpoint);
}

async function replayJournal(journal: Records, checkpointed: number, replay: Replay): Promise<void> {
  await journal.replay(checkpointed + 1, (sequence, payload) => {
    try {
      return replay.take(sequence, payload)?.catch((error: unknown) => refuse(sequence, error));
    } catch (error) {
      refuse(sequence, error);
    }
  });
  replay.flush();
}

function refuse(sequence: number, error: unknown): never {
  const reason = error instanceof Error ? error.message : String(error);
  const message = `Record ${sequence} of the journal can't be taken in: ${reason}`;
  throw new JournalError('data-damaged', message, { sequence }, error);
}
