import { assessJournal, type Finding, keptFiles } from '../../journal/assessment.ts';
import type { CommitLog, VisitRecord } from '../../journal/commit-log.ts';
import type { Disk } from '../../journal/disk/disk.ts';
import { JournalError } from '../../journal/errors.ts';
import { requireSound } from '../../journal/recovery.ts';
import { replayFiles } from '../../journal/replay-files.ts';
import type { SnapshotDescriptor } from '../../snapshot/descriptor.ts';
import { GraphTable } from '../../snapshot/graphs/table.ts';
import type { Changes } from '../../snapshot/write/changes.ts';
import { SnapshotWriter } from '../../snapshot/write/snapshot-writer.ts';
import { type Checkpoint, findCheckpoint } from '../checkpoint/checkpoint.ts';
import { readCheckpoint } from '../checkpoint/read-checkpoint.ts';
import { withWholeNames } from '../graphs/blank-graphs.ts';
import { WorkingGraphs } from '../graphs/working-graphs.ts';
import { linesOfBlocks, patchLines } from '../patch/file.ts';
import { PatchFiles } from '../patch/file-set.ts';
import { blocksOf, referenceIn } from '../patch/patch.ts';
import { journalContext } from './journal-context.ts';
import { Replay } from './replay.ts';

type Notice = (message: string) => void;

export interface LoadedData {
  readonly writer: SnapshotWriter;
  readonly graphs: GraphTable;
  /** The patch files that the journal's records name. */
  readonly patches: PatchFiles;
  /** The checkpoint's data, before the journal was replayed. */
  readonly stored: SnapshotDescriptor;
}

export interface ReadData extends LoadedData {
  readonly checkpoint: Checkpoint | undefined;
  /** Number of the newest commit. */
  readonly sequence: number;
  /** The state of the journal's end. */
  readonly finding: Finding;
}

/** Receives each record of the journal after it was replayed. */
export type Witness = (payload: Uint8Array, writer: SnapshotWriter) => void;

interface LoadObserver {
  readonly notice: Notice;
  readonly witness?: Witness | undefined;
}

/**
 * Reads the data that a start would find, without changing the disk. Throws `data-damaged` where a
 * start would fail.
 */
export async function readData(disk: Disk, notice: Notice, witness?: Witness): Promise<ReadData> {
  const checkpoint = await findCheckpoint(disk);
  const assessment = await assessJournal(disk, await journalContext(disk, checkpoint));
  const { finding } = assessment;
  requireSound(finding);
  const files = keptFiles(assessment);
  const replay = (from: number, visit: VisitRecord) => replayFiles(disk, files, from, visit);
  const data = await loadData(disk, checkpoint, { replay }, { notice, witness });
  const sequence = Math.max(checkpoint?.sequence ?? 0, files.at(-1)?.lastSequence ?? 0);
  data.writer.publish(sequence);
  return { ...data, checkpoint, sequence, finding };
}

/** Loads the checkpoint and the journal into a snapshot and the table of graphs. */
export async function loadData(
  disk: Disk,
  checkpoint: Checkpoint | undefined,
  journal: Pick<CommitLog, 'replay'>,
  { notice, witness }: LoadObserver,
): Promise<LoadedData> {
  const graphs = new GraphTable();
  const writer = checkpoint ? await readCheckpoint(disk, checkpoint, notice) : new SnapshotWriter();
  graphs.apply(withWholeNames(checkpoint?.graphs ?? [], writer.reader()));
  const stored = writer.descriptor;
  const patches = new PatchFiles();
  const working = new WorkingGraphs(graphs);
  const replay = new Replay({
    writer,
    graphs: working,
    apply: mergingInto(writer),
    files: { disk, patches },
  });
  const see = witness && ((rows: Uint8Array) => witness(rows, writer));
  await journal.replay((checkpoint?.sequence ?? 0) + 1, replaying(disk, replay, see));
  replay.flush();
  working.publish();
  return { writer, graphs, patches, stored };
}

/** Applies rows to a writer that has no readers yet. */
export function mergingInto(writer: SnapshotWriter): (changes: Changes) => void {
  return (changes) => {
    writer.apply(changes);
    writer.mergeRuns();
  };
}

/** Passes each record to `replay`, and then its rows to `see`. */
function replaying(disk: Disk, replay: Replay, see?: (rows: Uint8Array) => void): VisitRecord {
  return (sequence, payload) => {
    try {
      const taken = replay.take(sequence, payload);
      if (!taken) return see?.(payload);
      const rows = see && rowsOf(disk, payload);
      return taken.then(() => rows && see && seeRows(rows, see)).catch((error) => failFile(sequence, error));
    } catch (error) {
      failRecord(sequence, error);
    }
  };
}

/** The rows of a payload that are in blocks or in a file, as text. */
function rowsOf(disk: Disk, payload: Uint8Array): AsyncIterable<Uint8Array> | undefined {
  const blocks = blocksOf(payload);
  if (blocks) return linesOfBlocks(blocks);
  const reference = referenceIn(payload);
  return reference && patchLines(disk, reference);
}

/** Passes rows to `see`, after the replay has read them once. */
async function seeRows(rows: AsyncIterable<Uint8Array>, see: (rows: Uint8Array) => void): Promise<void> {
  for await (const lines of rows) see(lines);
}

/**
 * Adds the record's number to an error about damaged data; other errors of the disk are clear on
 * their own.
 */
function failFile(sequence: number, error: unknown): never {
  if ((error as { readonly code?: unknown }).code === 'data-damaged') failRecord(sequence, error);
  throw error;
}

function failRecord(sequence: number, error: unknown): never {
  const reason = error instanceof Error ? error.message : String(error);
  const message = `Record ${sequence} of the journal can't be applied: ${reason}`;
  throw new JournalError('data-damaged', message, { sequence }, error);
}
