/** The records of a data directory, which a server may be using. */
import { assessJournal, keptFiles } from '../../journal/assessment.ts';
import { type Disk, withFile } from '../../journal/disk/disk.ts';
import type { SoundFile } from '../../journal/file-list.ts';
import { requireSound } from '../../journal/recovery.ts';
import { requireHeader } from '../../journal/scan.ts';
import type { StoredCheckpoint } from '../../store/checkpoint/checkpoint.ts';
import { readRecords } from '../../store/history/read-records.ts';
import { type HistoryFile, listHistory } from '../../store/history/retained-files.ts';
import { journalContext } from '../../store/recovery/journal-context.ts';

/** A record of the journal. */
export interface SourceRecord {
  readonly sequence: number;
  /** A view that is only valid until the next record is read. */
  readonly payload: Uint8Array;
}

/** The records that a data directory has at one moment. Later ones are not seen. */
export class JournalSource {
  readonly #disk: Disk;
  readonly #files: readonly HistoryFile[];
  /** Number of the newest commit. */
  readonly commit: number;

  /**
   * Verifies the records that no checkpoint covers. Throws `data-damaged`, also if a checkpoint has
   * been made meanwhile.
   */
  static async open(disk: Disk, checkpoint: StoredCheckpoint | undefined): Promise<JournalSource> {
    const assessment = await assessJournal(disk, await journalContext(disk, checkpoint));
    requireSound(assessment.finding);
    const files = withEnds(await listHistory(disk), keptFiles(assessment));
    const commit = Math.max(checkpoint?.sequence ?? 0, files.at(-1)?.lastSequence ?? 0);
    return new JournalSource(disk, files, commit);
  }

  private constructor(disk: Disk, files: readonly HistoryFile[], commit: number) {
    this.#disk = disk;
    this.#files = files;
    this.commit = commit;
  }

  /** Number of the oldest record; infinite if there are none. */
  get first(): number {
    return this.#files[0]?.firstSequence ?? Number.POSITIVE_INFINITY;
  }

  /** The version that a file with the records from one on needs. */
  async versionFrom(from: number): Promise<number> {
    let version = 1;
    for (const { name } of this.#filesFrom(from)) {
      const header = await withFile(this.#disk, name, 'read', (file) => requireHeader(file, name));
      version = Math.max(version, header.version);
    }
    return version;
  }

  /** Yields the records from one on, in order. Throws `data-damaged`. */
  async *recordsFrom(from: number): AsyncGenerator<SourceRecord> {
    for (const file of this.#filesFrom(from)) yield* readRecords(this.#disk, file, { from });
  }

  #filesFrom(from: number): readonly HistoryFile[] {
    return this.#files.filter(({ lastSequence }) => lastSequence >= from);
  }
}

/** Gives the files of the journal their true ends, and leaves out those without records. */
function withEnds(files: readonly HistoryFile[], sound: readonly SoundFile[]): HistoryFile[] {
  const ends = new Map(sound.map(({ name, lastSequence }) => [name, lastSequence]));
  return files
    .map((file) => ({ ...file, lastSequence: ends.get(file.name) ?? file.lastSequence }))
    .filter(
      ({ firstSequence, lastSequence }) => firstSequence <= lastSequence && Number.isFinite(lastSequence),
    );
}
