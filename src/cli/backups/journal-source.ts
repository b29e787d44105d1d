/** The records of a data directory, which a server may be using. */
import { assessJournal, keptFiles } from '../../journal/assessment.ts';
import { type Disk, withFile } from '../../journal/disk/disk.ts';
import { JournalError } from '../../journal/errors.ts';
import type { SoundFile } from '../../journal/file-list.ts';
import { requireSound } from '../../journal/recovery.ts';
import { requireHeader } from '../../journal/scan.ts';
import { findCheckpoint, type StoredCheckpoint } from '../../store/checkpoint/checkpoint.ts';
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
   * Verifies the records that no checkpoint covers. Throws `data-damaged`, also if a newer
   * checkpoint has been made meanwhile: it takes files away before or after they are listed.
   */
  static async open(disk: Disk, checkpoint: StoredCheckpoint | undefined): Promise<JournalSource> {
    const assessment = await assessJournal(disk, await journalContext(disk, checkpoint));
    requireSound(assessment.finding);
    const files = withEnds(await listHistory(disk), keptFiles(assessment));
    const base = checkpoint?.sequence ?? 0;
    const newest = (await findCheckpoint(disk))?.sequence ?? 0;
    if (newest !== base) {
      throw new JournalError('data-damaged', `Checkpoint ${newest} has replaced checkpoint ${base}.`, {});
    }
    const commit = Math.max(base, files.at(-1)?.lastSequence ?? 0);
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

  /** Whether the files have all records from one on, up to the newest commit. */
  hasAllFrom(from: number): boolean {
    let next = from;
    for (const { firstSequence, lastSequence } of this.#filesFrom(from)) {
      if (firstSequence > next) return false;
      next = lastSequence + 1;
    }
    return next > this.commit;
  }

  /**
   * Yields all records from one on, in order. Throws `data-damaged`, also if one of them is not
   * there any more.
   */
  async *recordsFrom(from: number): AsyncGenerator<SourceRecord> {
    let next = from;
    for (const file of this.#filesFrom(from)) {
      for await (const record of readRecords(this.#disk, file, { from })) {
        if (record.sequence !== next) throw vanished(next, record.sequence);
        next++;
        yield record;
      }
    }
    if (next <= this.commit) throw vanished(next, this.commit + 1);
  }

  #filesFrom(from: number): readonly HistoryFile[] {
    return this.#files.filter(({ lastSequence }) => lastSequence >= from);
  }
}

function vanished(first: number, next: number): JournalError {
  const message = `The records ${first} to ${next - 1} have vanished during the backup.`;
  return new JournalError('data-damaged', message, {});
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
