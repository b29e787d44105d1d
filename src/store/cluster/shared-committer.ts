import { AppError, type ErrorData, errorData, toErrorData } from '../../errors.ts';
import type { AppendOutcome, CommitLog } from '../../journal/commit-log.ts';
import { wasPurged } from '../../journal/errors.ts';
import type { JournalMeter } from '../../journal/meter.ts';
import type { JournalRecord } from '../../journal/record.ts';
import type { EncodedChanges } from '../../pool/change-messages.ts';
import type { ChangeFeedWriter } from '../../snapshot/feed/change-feed.ts';
import type { Changes } from '../../snapshot/write/changes.ts';
import type { SnapshotWriter } from '../../snapshot/write/snapshot-writer.ts';
import { type CheckpointName, checkpointFiles } from '../checkpoint/checkpoint.ts';
import type { WorkingGraphs } from '../graphs/working-graphs.ts';
import { encodePatch, type PatchHeader } from '../patch/patch.ts';
import type { PlannedEffect } from '../planning/planner.ts';
import type { Committer } from '../thread/committer.ts';
import { recordsOf } from '../thread/effect-records.ts';
import { DropRule } from './drop-rule.ts';
import type { SharedCheckpoints } from './shared-checkpoints.ts';
import { SharedReplay } from './shared-replay.ts';
import type { StateDigest } from './state-digest.ts';

/** After this many records or rows of others, they are published while more are received. */
const SLICE = 4096;

/** What a store has in addition if it shares its log. */
export interface SharedParts {
  readonly log: CommitLog;
  /** Without them no checkpoint is written, and the log keeps all records. */
  readonly checkpoints: SharedCheckpoints | undefined;
  /** That of the data. */
  readonly digest: StateDigest;
  /** Counts what this process appends; a sync is the time until a group is durable. */
  readonly meter: JournalMeter;
  /** No commit may be older than this, in milliseconds since 1970. */
  readonly newest: number;
  /** The least number of unused terms that are dropped; default 2^16. */
  readonly leastDead: number | undefined;
}

interface SharedCommitterParts extends SharedParts {
  readonly writer: SnapshotWriter;
  readonly graphs: WorkingGraphs;
  readonly feed: ChangeFeedWriter;
  readonly sequence: number;
  readonly now: () => number;
  /** Called before what others have committed is applied. */
  readonly onForeign: () => void;
}

/**
 * The commits of a process that shares its log. It discards what it has planned, and applies what
 * it has appended, in the same way as the records of others: so all processes have the same data,
 * term ids included.
 */
export class SharedCommitter implements Committer {
  readonly #parts: SharedCommitterParts;
  readonly #replay: SharedReplay;
  readonly #dropRule: DropRule;
  #isWriter = false;
  /** Whether the newest checkpoint may be one that another process has written. */
  #mayLackCheckpoint = true;
  #diverged: ErrorData | undefined;
  #isOvertaken = false;
  /** The changes of the record that is being applied; undefined if they are too many to keep. */
  #steps: Changes[] | undefined = [];
  #rows = 0;

  constructor(parts: SharedCommitterParts) {
    const { writer, graphs, digest, sequence } = parts;
    this.#parts = parts;
    const apply = (changes: Changes) => this.#apply(changes);
    this.#replay = new SharedReplay({ writer, graphs, digest, apply }, sequence);
    this.#dropRule = new DropRule(writer, parts.leastDead);
  }

  get sequence(): number {
    return this.#diverged ? this.#parts.writer.descriptor.sequence : this.#replay.sequence;
  }

  /** Why this process can't follow the log any more; undefined while it can. */
  get diverged(): ErrorData | undefined {
    return this.#diverged;
  }

  /** Whether that is because the log no longer has what would come next. */
  get isOvertaken(): boolean {
    return this.#isOvertaken;
  }

  get rejection(): ErrorData | undefined {
    return this.#diverged ?? this.unavailable ?? (this.#isWriter ? undefined : notWriter);
  }

  get mayCheckpoint(): boolean {
    return this.#parts.checkpoints !== undefined && !this.rejection;
  }

  /** The error of writes while the log can't be reached. */
  get unavailable(): ErrorData | undefined {
    return this.#parts.log.isAvailable ? undefined : unreachable;
  }

  /** Whether others have committed what is not in the working state yet. */
  get hasForeign(): boolean {
    const { log } = this.#parts;
    return !this.#diverged && log.isAvailable && log.hasForeign;
  }

  /** Sets whether this process may commit; at first it may not. */
  setWriter(isWriter: boolean): void {
    this.#isWriter = isWriter;
    this.#mayLackCheckpoint = true;
  }

  /** Calls `wake` when `hasForeign` or `unavailable` may have changed. */
  watch(wake: () => void): void {
    this.#parts.log.watch(wake);
  }

  /** Ends what waits for the log: a group that was appended gets `writes-disabled`. */
  abandon(): Promise<void> {
    return this.#parts.log.abandon();
  }

  /** Not before any other commit, whatever the clock of its process was. */
  readonly now = (): number => {
    return Math.max(this.#parts.now(), this.newest);
  };

  /** Time of the newest commit, as far as this process knows, in milliseconds since 1970. */
  get newest(): number {
    return Math.max(this.#parts.newest, this.#replay.time);
  }

  async commit(effects: readonly PlannedEffect[]): Promise<AppendOutcome> {
    const records = recordsOf(effects, this.#parts.writer.terms);
    this.#discard();
    return this.#appendAndTake(records, effects);
  }

  /**
   * Drops unused terms in all processes if there are many: by a commit of its own, after which
   * each process does it. Must be called between groups. Errors: those of `receive`.
   */
  async dropUnusedTerms(): Promise<void> {
    if (this.rejection || !this.#dropRule.isDue()) return;
    const time = this.newest;
    const header = { time, created: [], dropped: [], reduced: [], renumbered: true };
    const payload = encodePatch(header, [], this.#parts.writer.terms);
    await this.#appendAndTake([{ sequence: this.sequence + 1, payload, version: 1 }]);
  }

  /** `effects`: those of the records, if they have any. */
  async #appendAndTake(
    records: readonly JournalRecord[],
    effects: readonly PlannedEffect[] = [],
  ): Promise<AppendOutcome> {
    const outcome = await this.#append(records);
    if (outcome === 'conflict') {
      await this.receive();
      return outcome;
    }
    await this.#following(async () => {
      for (const [index, { sequence, payload }] of records.entries()) {
        const { encoded, header } = effects[index] ?? {};
        if (encoded && header) await this.#takeEncoded(sequence, header, encoded);
        else await this.#take(sequence, inOne(payload));
      }
    });
    return outcome;
  }

  /** Counts transactions that are planned again, because another process came first. */
  noteReplan(transactions: number): void {
    this.#parts.meter.noteConflict(transactions);
  }

  async #append(records: readonly JournalRecord[]): Promise<AppendOutcome> {
    const { log, meter } = this.#parts;
    const began = performance.now();
    meter.begin();
    try {
      const outcome = await log.append(records, this.#replay.state);
      if (outcome === 'committed' && records.length > 0) {
        meter.noteSync((performance.now() - began) / 1000);
        meter.noteRecords(records.length, bytesOf(records));
      }
      return outcome;
    } finally {
      meter.end(log.bytes);
    }
  }

  /**
   * Applies what others have committed. Calls `onSlice` when much of it has been applied, and when
   * terms have got other ids. Errors: `unavailable`; `writes-disabled` if this process can't follow
   * the log any more.
   */
  async receive(onSlice: () => void = () => {}): Promise<void> {
    let work = 0;
    const count = (rows: number) => {
      work += 1 + rows;
      if (work < SLICE) return;
      work = 0;
      onSlice();
    };
    this.#parts.onForeign();
    await this.#following(() =>
      this.#parts.log.receive((sequence, payload, state) => {
        const taken = this.#take(sequence, payload, state);
        return taken instanceof Promise ? taken.then(count) : count(taken);
      }),
    );
  }

  /**
   * Learns what a checkpoint of an earlier writer covers, which counts in `bytes` of the log until
   * then. Error `unavailable`.
   */
  async refreshCheckpoint(): Promise<void> {
    if (!this.#mayLackCheckpoint) return;
    await this.#parts.checkpoints?.refresh();
    this.#mayLackCheckpoint = false;
  }

  async checkpointed(checkpoint: CheckpointName): Promise<void> {
    // Another process may have become the writer while the checkpoint was written.
    const { log, checkpoints } = this.#parts;
    if (!checkpoints || !this.mayCheckpoint) return;
    const { imageFile, manifestFile } = checkpointFiles(checkpoint);
    await checkpoints.install([imageFile, manifestFile], checkpoint.sequence);
    await log.checkpointed(checkpoint.sequence);
  }

  /** Applies a record, and writes it to the feed; returns how many rows that was worth. */
  #take(sequence: number, payload: Uint8Array, state?: string): Promise<number> | number {
    this.#steps = [];
    this.#rows = 0;
    const taken = this.#replay.take(sequence, payload, state);
    return taken instanceof Promise ? taken.then(() => this.#endRecord(sequence)) : this.#endRecord(sequence);
  }

  #endRecord(sequence: number): number {
    this.#replay.flush();
    const header = { time: this.#replay.time };
    this.#parts.feed.write([
      { sequence, header, steps: this.#steps ?? [], inRun: this.#steps === undefined },
    ]);
    this.#steps = [];
    return this.#hasRenumbered() ? SLICE : this.#rows;
  }

  async #takeEncoded(sequence: number, header: PatchHeader, encoded: EncodedChanges): Promise<void> {
    this.#steps = undefined;
    const { feed } = this.#parts;
    const changes = await this.#replay.takeEncoded(sequence, header, encoded);
    const inRun = encoded.rows.length / 4 > feed.mostRows;
    feed.write([{ sequence, header, steps: inRun ? [] : [changes], inRun }]);
  }

  /** Whether the last record gave terms other ids; then readers of the feed start over. */
  #hasRenumbered(): boolean {
    const { writer, feed } = this.#parts;
    const { generation } = writer.descriptor.dictionary;
    if (!feed.renumber(generation)) return false;
    this.#dropRule.note();
    return true;
  }

  #apply(changes: Changes): void {
    const { writer, feed } = this.#parts;
    writer.apply(changes);
    this.#rows += (changes.additions.length + changes.removals.length) / 4;
    if (this.#rows > feed.mostRows) this.#steps = undefined;
    this.#steps?.push(changes);
  }

  #discard(): void {
    this.#parts.writer.discard();
    this.#parts.graphs.discard();
  }

  /**
   * Does work that only fails for good, unless the log is unavailable: then this process no longer
   * has the data of the others, and must not show its own.
   */
  async #following(work: () => Promise<void> | void): Promise<void> {
    try {
      await work();
    } catch (error) {
      const { code, message } = toErrorData(error);
      if (code === 'unavailable') throw error;
      const text = `This process can't follow the shared log any more: ${message}. Restart it.`;
      this.#isOvertaken = wasPurged(error);
      this.#diverged = errorData('writes-disabled', text);
      this.#discard();
      throw new AppError(this.#diverged.code, this.#diverged.message, {}, error);
    }
  }
}

const unreachable = errorData(
  'unavailable',
  "The shared log can't be reached now. Nothing was stored; try again.",
);

const notWriter = errorData(
  'unavailable',
  'This process is not the one that writes now. Nothing was stored; try again.',
);

function bytesOf(records: readonly JournalRecord[]): number {
  let bytes = 0;
  for (const { payload } of records) for (const piece of payload) bytes += piece.length;
  return bytes;
}

function inOne(pieces: readonly Uint8Array[]): Uint8Array {
  return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
}
