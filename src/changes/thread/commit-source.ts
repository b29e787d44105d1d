import type { LoggedRecord, LogHistory } from '../../cluster/history/log-history.ts';
import { AppError } from '../../errors.ts';
import type { Disk } from '../../journal/disk/disk.ts';
import { ChangeFeedReader, oldestInFeed } from '../../snapshot/feed/change-feed.ts';
import type { SnapshotReader } from '../../snapshot/read/reader.ts';
import { type HistoryRecord, readRecords } from '../../store/history/read-records.ts';
import { type HistoryFile, listHistory, retainedPatchName } from '../../store/history/retained-files.ts';
import { patchBlocks, patchLines } from '../../store/patch/file.ts';
import {
  headerOf,
  type PatchHeader,
  type PatchReference,
  patchTime,
  referenceIn,
} from '../../store/patch/patch.ts';
import type { DatedCommit } from '../messages.ts';
import { beginningOf, headerOfLarge, rowsIn, rowsInLarge } from './payload-rows.ts';
import { blockRows, IdRows, type RowCursor, TextRows } from './row-cursor.ts';

/** A commit with its rows, which can be read until the next commit is. */
export interface Commit extends DatedCommit {
  /** Yields all rows, some at a time, each time that it is called. */
  rows(): AsyncIterable<RowCursor>;
  /** The graphs that came to exist and that ceased to; undefined for a commit in the ring. */
  graphs(): Promise<ChangedGraphs | undefined>;
}

export type ChangedGraphs = Pick<PatchHeader, 'created' | 'dropped'>;

const noGraphs = () => Promise.resolve(undefined);

/** Where the journal or the retained history has the record after a commit. */
interface KnownPlace {
  readonly firstSequence: number;
  readonly offset: number;
}

const MOST_PLACES = 1024;
/** The line with the time of a commit is not longer. */
const TIME_BYTES = 64;
/** How often a file may be moved or removed before it is opened. */
const ATTEMPTS = 3;

/**
 * The commits of the store: the newest are in the ring, older ones in the journal and the retained
 * history, or in the log of a cluster. The same commit has the same rows in all of them.
 */
export class Commits {
  readonly #feed: SharedArrayBuffer;
  /** Null if there are no files with commits. */
  readonly #disk: Disk | null;
  /** That of a cluster. */
  readonly #log: LogHistory | undefined;
  /** The places of the commits after those at which readers paused, the latest last. */
  readonly #places = new Map<number, KnownPlace>();

  constructor(feed: SharedArrayBuffer, disk: Disk | null, log?: LogHistory) {
    this.#feed = feed;
    this.#disk = disk;
    this.#log = log;
  }

  /** Returns the number of the commit after which all are still there. */
  async oldest({ sequence }: SnapshotReader): Promise<number> {
    const inRing = Math.min(oldestInFeed(this.#feed) - 1, sequence);
    const [file] = this.#disk ? await listHistory(this.#disk) : [];
    const before = file ? file.firstSequence - 1 : await this.#log?.oldest();
    return Math.min(before ?? inRing, inRing);
  }

  /**
   * Yields the commits after `since`, up to that of the snapshot. Errors: `position-gone` if the
   * next one is not kept any more, `data-damaged`.
   */
  async *after(since: number, snapshot: SnapshotReader): AsyncGenerator<Commit> {
    let at = since;
    while (at < snapshot.sequence) {
      for (const commit of this.#inRing(at, snapshot)) {
        at = commit.sequence;
        yield commit;
      }
      if (at >= snapshot.sequence) return;
      const before = at;
      for await (const commit of this.#recorded(at, snapshot)) {
        at = commit.sequence;
        yield commit;
      }
      if (at === before) throw await this.#gone(at, snapshot);
    }
  }

  /** The same; where commits are recorded outside of the ring, too, they name their graphs. */
  async *withGraphsAfter(since: number, snapshot: SnapshotReader): AsyncGenerator<Commit> {
    let at = since;
    for (let before = -1; before < at && at < snapshot.sequence; ) {
      before = at;
      for await (const commit of this.#recorded(at, snapshot)) {
        at = commit.sequence;
        yield commit;
      }
    }
    yield* this.after(at, snapshot);
  }

  /**
   * Returns the last commit at or before a time, in milliseconds since 1970, or the oldest one that
   * is kept; undefined if none is kept.
   */
  async lastUntil(time: number, snapshot: SnapshotReader): Promise<DatedCommit | undefined> {
    const oldest = await this.oldest(snapshot);
    if (oldest >= snapshot.sequence) return undefined;
    const places = await this.#placesFrom(oldest + 1, snapshot);
    let [low, high] = [0, places.count - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      const first = await this.#next(places.at(middle) - 1, snapshot);
      if (first.time <= time) low = middle;
      else high = middle - 1;
    }
    let found: DatedCommit | undefined;
    for await (const { sequence, time: its } of this.after(places.at(low) - 1, snapshot)) {
      if (found && its > time) break;
      found = { sequence, time: its };
    }
    return found;
  }

  /**
   * Numbers of commits, ascending, at which reading can begin without reading much before: all of
   * them in a log, else the first one of each file and of the ring.
   */
  async #placesFrom(first: number, { sequence }: SnapshotReader) {
    if (this.#log) return { count: sequence - first + 1, at: (i: number) => first + i };
    const files = this.#disk ? await listHistory(this.#disk) : [];
    const starts = [first, ...files.map((file) => file.firstSequence), oldestInFeed(this.#feed)];
    const within = starts.filter((start) => start >= first && start <= sequence);
    const places = [...new Set(within)].sort((a, b) => a - b);
    return { count: places.length, at: (i: number) => places[i]! };
  }

  async #next(since: number, snapshot: SnapshotReader): Promise<DatedCommit> {
    for await (const { sequence, time } of this.after(since, snapshot)) return { sequence, time };
    throw await this.#gone(since, snapshot);
  }

  #recorded(since: number, snapshot: SnapshotReader): AsyncGenerator<Commit> {
    return this.#log ? inLog(this.#log, since, snapshot) : this.#inFiles(since, snapshot);
  }

  *#inRing(since: number, { sequence, terms }: SnapshotReader): Generator<Commit> {
    const reader = new ChangeFeedReader(this.#feed, since, terms.generation);
    while (reader.sequence < sequence) {
      const rows = reader.next();
      if (rows === undefined || rows === 'lost') return;
      const { sequence: number, time } = reader;
      yield { sequence: number, time, rows: () => each([new IdRows(rows, terms)]), graphs: noGraphs };
    }
  }

  async *#inFiles(since: number, snapshot: SnapshotReader): AsyncGenerator<Commit> {
    for (let attempt = 1; this.#disk; attempt++) {
      try {
        yield* this.#inFile(this.#disk, since, snapshot);
        return;
      } catch (error) {
        // A checkpoint has moved or removed it since it was listed.
        if (!isMissing(error) || attempt === ATTEMPTS) throw error;
      }
    }
  }

  async *#inFile(disk: Disk, since: number, snapshot: SnapshotReader): AsyncGenerator<Commit> {
    const file = await this.#fileWith(disk, since + 1);
    if (!file) return;
    const known = this.#places.get(since);
    const offset = known?.firstSequence === file.firstSequence ? known.offset : undefined;
    for await (const record of readRecords(disk, file, { from: since + 1, offset })) {
      if (record.sequence > snapshot.sequence) return;
      this.#note(file, record);
      yield this.#commitOf(disk, record, snapshot);
    }
  }

  /** Returns the file that has a commit; undefined if none has. */
  async #fileWith(disk: Disk, sequence: number): Promise<HistoryFile | undefined> {
    const files = await listHistory(disk);
    return files.find((file) => file.firstSequence <= sequence && sequence <= file.lastSequence);
  }

  #note({ firstSequence }: HistoryFile, { sequence, next: offset }: HistoryRecord): void {
    this.#places.delete(sequence - 1);
    this.#places.set(sequence, { firstSequence, offset });
    if (this.#places.size <= MOST_PLACES) return;
    const [oldest] = this.#places.keys();
    this.#places.delete(oldest!);
  }

  #commitOf(disk: Disk, { sequence, payload }: HistoryRecord, snapshot: SnapshotReader): Commit {
    const time = patchTime(payload) ?? 0;
    const reference = referenceIn(payload);
    const rows = () =>
      reference ? this.#rowsInFile(disk, reference, sequence, snapshot) : each(rowsIn(payload));
    return { sequence, time, rows, graphs: async () => headerOf(payload) };
  }

  /** A patch file may be moved to the history, where it has its other name, at any time. */
  async *#rowsInFile(
    disk: Disk,
    reference: PatchReference,
    sequence: number,
    snapshot: SnapshotReader,
  ): AsyncGenerator<RowCursor> {
    for (const name of [reference.name, retainedPatchName(reference.name, sequence)]) {
      try {
        yield* rowsInFile(disk, { ...reference, name });
        return;
      } catch (error) {
        if (!isMissing(error)) throw error;
      }
    }
    throw await this.#gone(sequence - 1, snapshot);
  }

  async #gone(since: number, snapshot: SnapshotReader): Promise<AppError> {
    return positionGone(since, await this.oldest(snapshot));
  }
}

async function* inLog(log: LogHistory, since: number, newest: SnapshotReader): AsyncGenerator<Commit> {
  for await (const record of log.after(since)) {
    if (record.sequence > newest.sequence) return;
    yield await loggedCommit(record);
  }
}

/** The error of a place whose next commit is not kept; the main thread words it. */
export function positionGone(since: number, oldest: number): AppError {
  return new AppError('position-gone', `after ${since}`, { oldest: String(oldest) });
}

async function loggedCommit({ sequence, payload, large }: LoggedRecord): Promise<Commit> {
  const beginning = payload ?? (await beginningOf(large!, TIME_BYTES));
  const rows = () => (payload ? each(rowsIn(payload)) : rowsInLarge(large!));
  const graphs = async () => headerOf(payload ?? (await headerOfLarge(large!)));
  return { sequence, time: patchTime(beginning) ?? 0, rows, graphs };
}

async function* rowsInFile(disk: Disk, reference: PatchReference): AsyncGenerator<RowCursor> {
  if (reference.rows === undefined) {
    for await (const lines of patchLines(disk, reference)) yield new TextRows(lines);
  } else {
    for await (const block of patchBlocks(disk, reference)) yield blockRows(block);
  }
}

/** The error of the disk is the cause where a patch file is missing. */
function isMissing(error: unknown): boolean {
  const { code, cause } = error as { readonly code?: unknown; readonly cause?: unknown };
  return code === 'ENOENT' || (cause !== undefined && isMissing(cause));
}

async function* each(cursors: Iterable<RowCursor>): AsyncGenerator<RowCursor> {
  yield* cursors;
}
