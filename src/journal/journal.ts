import { countCovered, type Finding } from './assessment.ts';
import type { AppendOutcome, CommitLog, VisitRecord } from './commit-log.ts';
import { replaceByCopy } from './damaged-files.ts';
import type { Disk, DiskFile } from './disk/disk.ts';
import { isNoSpace, JournalError, type WriteFailure, writesDisabled } from './errors.ts';
import { createJournalFile, type JournalFileName, listJournalFiles, type SoundFile } from './file-list.ts';
import { JournalMeter } from './meter.ts';
import { encodeGroup, encodeHeader, type JournalRecord } from './record.ts';
import { recoverJournal } from './recovery.ts';
import { replayFiles } from './replay-files.ts';
import { requireHeader } from './scan.ts';
import { writeSeal } from './seal.ts';

export interface JournalOptions {
  /**
   * The records up to this one are in a checkpoint and need not be in the journal. Default 0: there
   * is no checkpoint.
   */
  readonly checkpoint?: number;
  /**
   * Whether a journal file is known to have been created, so that one must exist. Default false.
   */
  readonly opened?: boolean;
  /**
   * Replace the newest file by a copy. A process that lost the directory, and does not know it yet,
   * then writes to a file that is never read. Default false.
   */
  readonly fence?: boolean;
  /**
   * Whether the disk can detect that the directory was lost, so that even a group without records
   * must check it. Default false.
   */
  readonly leased?: boolean;
  /**
   * Keep the records before the damage and move the rest aside, instead of failing. Default false.
   */
  readonly recover?: boolean;
  /** Receives what recovery truncated, skipped or moved aside. */
  readonly log?: (finding: Finding) => void;
  /** Counts what the journal does. */
  readonly meter?: JournalMeter;
  /** Takes a file away that a checkpoint covers. Default: removes it. */
  readonly retire?: RetireFile;
}

/** Takes the file away from the journal, durably. */
export type RetireFile = (file: CoveredFile) => Promise<void>;

/** A file whose records are all in a checkpoint. */
export interface CoveredFile extends JournalFileName {
  /** Less than `firstSequence` if the file has no records. */
  readonly lastSequence: number;
}

/**
 * Recovers the journal on the disk (see recovery-table.ts) and opens it for appending. Throws
 * `data-damaged`.
 */
export async function openJournal(disk: Disk, options: JournalOptions = {}): Promise<Journal> {
  const { checkpoint = 0, opened = false, recover = false, log = () => {} } = options;
  const { fence = false, leased = false, meter = new JournalMeter() } = options;
  const { retire = ({ name }) => disk.remove(name) } = options;
  const files = await recoverJournal(disk, { checkpoint, opened, recover, fence, log });
  const last = files.at(-1);
  // A new file follows each checkpoint. The files before it are no longer needed.
  if (last === undefined || (last.firstSequence <= checkpoint && last.lastSequence <= checkpoint)) {
    files.splice(0, files.length, await createJournalFile(disk, checkpoint + 1));
  }
  const newest = files.at(-1)!;
  if (fence) await replaceByCopy(disk, newest.name, newest.bytes);
  const tail = await openTail(disk, newest.name);
  return new Journal({ disk, files, tail, isLeased: leased, meter, retire });
}

/** The file that records are appended to. */
interface Tail {
  readonly file: DiskFile;
  readonly marker: Buffer;
  readonly version: number;
}

interface JournalParts {
  readonly disk: Disk;
  /** Oldest first, never empty; the last one is the file of `tail`. */
  readonly files: SoundFile[];
  readonly tail: Tail;
  readonly isLeased: boolean;
  readonly meter: JournalMeter;
  readonly retire: RetireFile;
}

async function openTail(disk: Disk, name: string): Promise<Tail> {
  const file = await disk.open(name, 'append');
  try {
    const { marker, version } = await requireHeader(file, name);
    return { file, marker, version };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/**
 * The local log: numbered, checksummed records of opaque bytes in files. There is one writer, so it
 * has no foreign records and no conflicts.
 */
export class Journal implements CommitLog {
  readonly isShared = false;
  readonly isAvailable = true;
  readonly hasForeign = false;
  readonly #disk: Disk;
  /** Oldest first, never empty; the last one is the file of `#tail`. */
  readonly #files: SoundFile[];
  #tail: Tail;
  readonly #isLeased: boolean;
  readonly #meter: JournalMeter;
  readonly #retire: RetireFile;
  #failure: JournalError | undefined;
  #busy = false;

  constructor({ disk, files, tail, isLeased, meter, retire }: JournalParts) {
    this.#disk = disk;
    this.#retire = retire;
    this.#isLeased = isLeased;
    this.#files = files;
    this.#tail = tail;
    this.#meter = meter;
    meter.end(this.bytes);
  }

  /** Number of the newest committed record, or of the checkpoint if no record follows it. */
  get lastSequence(): number {
    return this.#newest.lastSequence;
  }

  /** Bytes of the files that have not been replaced by a checkpoint yet. */
  get bytes(): number {
    return this.#files.reduce((sum, file) => sum + file.bytes, 0);
  }

  /**
   * Writes the records, then syncs once; resolves when all of them are committed. Their numbers
   * continue from `lastSequence`. `too-large`: nothing was written. `writes-disabled`: none of them
   * must be acknowledged, and the journal accepts no more until it is opened again, because the
   * state of the disk is unknown after a failed sync. Without records it only verifies, where
   * necessary, that the directory still belongs to this process.
   */
  async append(records: readonly JournalRecord[]): Promise<AppendOutcome> {
    if (records.length === 0 && !this.#isLeased) return 'committed';
    await this.#exclusively(async () => {
      requireContiguous(records, this.lastSequence + 1);
      const version = Math.max(1, ...records.map((record) => record.version ?? 1));
      if (version > this.#tail.version) await this.#goOnIn(version);
      const chunks = encodeGroup(this.#tail.marker, records);
      await this.#write(chunks);
      const bytes = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
      this.#newest.lastSequence += records.length;
      this.#newest.bytes += bytes;
      this.#meter.noteRecords(records.length, bytes);
    });
    return 'committed';
  }

  watch(): void {}

  async receive(): Promise<void> {}

  /**
   * Continues in a new file, so that a checkpoint of the records so far can replace the old files.
   */
  async beginCheckpoint(): Promise<void> {
    await this.#exclusively(async () => {
      if (this.#hasRecords) await this.#goOnIn(1);
    });
  }

  /** Continues in a file of this version; a current file without records is replaced. */
  async #goOnIn(version: number): Promise<void> {
    const next = this.lastSequence + 1;
    try {
      // A replaced file may have a seal, which names its marker.
      const header = encodeHeader(next, version, this.#hasRecords ? undefined : this.#tail.marker);
      const created = await createJournalFile(this.#disk, next, header);
      const tail = await openTail(this.#disk, created.name);
      await this.#tail.file.close();
      if (!this.#hasRecords) this.#files.pop();
      this.#tail = tail;
      this.#files.push(created);
    } catch (error) {
      throw await this.#giveUp('write-failed', error);
    }
  }

  get #hasRecords(): boolean {
    const { firstSequence, lastSequence } = this.#newest;
    return lastSequence >= firstSequence;
  }

  /**
   * Retires the files whose records are all covered by a durable checkpoint at `sequence`; never
   * the newest file. Records may be appended meanwhile.
   */
  async checkpointed(sequence: number): Promise<void> {
    const files = await listJournalFiles(this.#disk);
    for (const [index, file] of files.slice(0, countCovered(files, sequence)).entries()) {
      await this.#retire({ ...file, lastSequence: files[index + 1]!.firstSequence - 1 });
      const place = this.#files.findIndex(({ name }) => name === file.name);
      if (place >= 0) this.#files.splice(place, 1);
    }
    this.#meter.noteBytes(this.bytes);
    await this.#disk.syncDirectory('');
  }

  /** Visits the committed records, from a sequence number on, in order. */
  async replay(fromSequence: number, visit: VisitRecord): Promise<void> {
    await replayFiles(this.#disk, [...this.#files], fromSequence, visit);
  }

  /** Closes the journal. Seals the committed records unless the state of the disk is unknown. */
  async close(): Promise<void> {
    const isSound = this.#failure === undefined;
    this.#failure = writesDisabled('closed', undefined);
    try {
      if (isSound) await this.#seal();
    } finally {
      await this.#tail.file.close();
    }
  }

  /** Closes without a seal: the store could not be opened, and its journal is left as it is. */
  async abandon(): Promise<void> {
    this.#failure ??= writesDisabled('closed', undefined);
    await this.#tail.file.close();
  }

  async #seal(): Promise<void> {
    const { firstSequence, lastSequence, bytes } = this.#newest;
    const marker = this.#tail.marker.toString('hex');
    await writeSeal(this.#disk, { firstSequence, marker, lastSequence, bytes });
  }

  get #newest(): SoundFile {
    return this.#files.at(-1)!;
  }

  async #exclusively(change: () => Promise<void>): Promise<void> {
    if (this.#failure) throw this.#failure;
    if (this.#busy) throw new Error('Two changes of the journal overlap');
    this.#busy = true;
    this.#meter.begin();
    try {
      await change();
    } finally {
      this.#busy = false;
      this.#meter.end(this.bytes);
    }
  }

  async #write(chunks: readonly Uint8Array[]): Promise<void> {
    let failure: WriteFailure = 'write-failed';
    try {
      await this.#tail.file.append(chunks);
      failure = 'sync-failed';
      const began = performance.now();
      await this.#tail.file.sync();
      this.#meter.noteSync((performance.now() - began) / 1000);
    } catch (error) {
      throw await this.#giveUp(failure, error);
    }
  }

  /** Disables writes permanently. Removes a partial write where the disk allows it. */
  async #giveUp(failure: WriteFailure, cause: unknown): Promise<JournalError> {
    this.#failure = failureOf(failure, cause);
    await this.#tail.file.truncate(this.#newest.bytes).catch(() => {});
    return this.#failure;
  }
}

function requireContiguous(records: readonly JournalRecord[], first: number): void {
  records.forEach((record, index) => {
    if (record.sequence !== first + index) {
      throw new RangeError(`Record ${first + index} must come next, not ${record.sequence}`);
    }
  });
}

/** If the disk now belongs to another process, its own error says so. */
function failureOf(failure: WriteFailure, cause: unknown): JournalError {
  if (cause instanceof JournalError && cause.code === 'writes-disabled') return cause;
  return writesDisabled(isNoSpace(cause) ? 'no-space' : failure, cause);
}
