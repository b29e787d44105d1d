import { buildBase } from './base-builder.ts';
import { BaseRun } from './base-run.ts';
import { type Changes, isEmpty } from './changes.ts';
import { DeltaRun } from './delta-run.ts';
import type { SnapshotDescriptor } from './descriptor.ts';
import type { Dictionary } from './dictionary.ts';
import { DictionaryWriter, type StoredTerms } from './dictionary-writer.ts';
import {
  addChanges,
  addDelta,
  compactionLimit,
  copyLog,
  defaultLimits,
  deltasOf,
  gather,
  type LevelLimits,
  type Levels,
  levelsOf,
  rowsOf,
} from './levels.ts';
import { MergedScan } from './merged-scan.ts';
import { BY_SUBJECT } from './order.ts';
import { SnapshotReader } from './reader.ts';
import { Runs } from './runs.ts';
import { ColumnScan } from './scans.ts';
import { sortQuads } from './sorted-quads.ts';

/** A snapshot that was kept, see `image.ts`. */
export interface StoredSnapshot extends StoredTerms {
  readonly sequence: number;
  readonly base: SharedArrayBuffer;
}

/** Bytes that the current state fills, and what its buffers hold in all. */
export interface SnapshotMemory {
  /** Text of the terms. */
  readonly termBytes: number;
  /** Text, offsets and hash table. */
  readonly dictionaryBytes: number;
  readonly dictionaryReserved: number;
  readonly baseBytes: number;
  /** Deltas and log. */
  readonly deltaBytes: number;
}

/**
 * The one writer of snapshots. Changes go into a working state, which `reader` shows; `publish` makes it a snapshot
 * for all threads, `discard` goes back to the last one published. Published snapshots never change.
 */
export class SnapshotWriter {
  readonly dictionary: DictionaryWriter;
  readonly #limits: LevelLimits;
  #working: Levels;
  #quadCount: number;
  #published: Levels;
  #descriptor: SnapshotDescriptor;
  #reader: SnapshotReader | undefined;
  /** The state out of which a compaction under way builds its base run. */
  #compacting: { readonly sequence: number; readonly levels: Levels } | undefined;

  constructor(stored?: StoredSnapshot, limits: LevelLimits = defaultLimits) {
    this.#limits = limits;
    this.dictionary = new DictionaryWriter(stored);
    const base = stored === undefined ? BaseRun.allocate(emptyCounts) : new BaseRun(stored.base);
    this.#working = levelsOf(base);
    this.#quadCount = base.quads;
    this.#published = this.#working;
    this.#descriptor = this.#describe(stored?.sequence ?? 0);
  }

  /** The last published state. */
  get descriptor(): SnapshotDescriptor {
    return this.#descriptor;
  }

  /** The working state; the same reader until it changes. */
  reader(): SnapshotReader {
    if (this.#reader?.terms.termCount !== this.dictionary.termCount) this.#reader = undefined;
    this.#reader ??= new SnapshotReader(this.#describe(this.#descriptor.sequence));
    return this.#reader;
  }

  /** Quads of the working state. */
  get quadCount(): number {
    return this.#quadCount;
  }

  /** All terms, those of unpublished changes included. */
  get terms(): Dictionary {
    return this.reader().terms;
  }

  /** Takes effective changes (see `plan.ts`) into the working state. */
  apply(changes: Changes): void {
    if (isEmpty(changes)) return;
    const { additions, removals } = changes;
    this.#reader = undefined;
    this.#quadCount += (additions.length - removals.length) / 4;
    if ((additions.length + removals.length) / 4 > compactionLimit(this.#working.base, this.#limits)) {
      this.#rebuild(changes);
    } else {
      this.#working = addChanges(this.#working, changes, this.#limits);
    }
  }

  /** Takes a run of effective changes (see `DeltaRun`) into the working state; `growth`: additions less removals. */
  addRun(buffer: SharedArrayBuffer, growth: number): void {
    this.#reader = undefined;
    this.#quadCount += growth;
    this.#working = addDelta(this.#working, new DeltaRun(buffer));
  }

  /** Makes the working state the snapshot of that commit. */
  publish(sequence: number): SnapshotDescriptor {
    this.#published = this.#working;
    this.#descriptor = this.#describe(sequence);
    this.#reader = undefined;
    return this.#descriptor;
  }

  /** Forgets what was applied since the last `publish`, and the terms that came with it. */
  discard(): void {
    const { logCount, quadCount, dictionary } = this.#descriptor;
    this.dictionary.forget(dictionary.termCount);
    // Readers may be walking the log's chains, so its unpublished end is not overwritten.
    this.#working = { ...this.#published, log: copyLog(this.#published.log, logCount) };
    this.#published = this.#working;
    this.#quadCount = quadCount;
    this.#reader = undefined;
  }

  /** Whether deltas have grown so much that a new base run should be built. */
  get needsCompaction(): boolean {
    if (this.#compacting !== undefined) return false;
    const changes = deltasOf(this.#working).reduce((sum, run) => sum + run.quads, 0);
    return changes > compactionLimit(this.#working.base, this.#limits);
  }

  /**
   * Freezes all published changes and gives the snapshot out of which another thread is to build a base run (see
   * `compact.ts`). To be called between `publish` and the next `apply`; commits go on meanwhile.
   */
  beginCompaction(): SnapshotDescriptor {
    this.#requirePublished();
    const frozen = gather(this.#working);
    this.#working = levelsOf(this.#working.base, frozen);
    this.#compacting = { sequence: this.#descriptor.sequence, levels: this.#working };
    return this.publish(this.#descriptor.sequence);
  }

  /**
   * Takes the base run that was built from that snapshot, keeping later changes. To be called between `publish` and
   * the next `apply`. False, and nothing done, when the run is no longer wanted.
   */
  installBase(base: SharedArrayBuffer, builtFrom: SnapshotDescriptor): boolean {
    if (this.#compacting?.sequence !== builtFrom.sequence) return false;
    this.#requirePublished();
    const { levels } = this.#compacting;
    this.#compacting = undefined;
    // A big commit may have made a base run of its own meanwhile.
    if (this.#working.base !== levels.base || this.#working.frozen !== levels.frozen) return false;
    this.#working = { ...this.#working, base: new BaseRun(base), frozen: undefined };
    this.publish(this.#descriptor.sequence);
    return true;
  }

  /** The compaction came to nothing; the next one takes its changes too. */
  abandonCompaction(): void {
    this.#compacting = undefined;
  }

  memory(): SnapshotMemory {
    const dictionary = this.dictionary.memory();
    const deltas = deltasOf(this.#working).reduce((sum, run) => sum + run.words.byteLength, 0);
    return {
      termBytes: dictionary.terms,
      dictionaryBytes: dictionary.used,
      dictionaryReserved: dictionary.reserved,
      baseBytes: this.#working.base.words.byteLength,
      deltaBytes: deltas + this.#working.log.words.byteLength,
    };
  }

  /** A new base run out of the working state and changes too big for a delta. */
  #rebuild(changes: Changes): void {
    const sorted = sortQuads(rowsOf(this.#working.log, changes));
    const current = { ...this.#describe(0), logCount: 0 };
    const scan = new MergedScan(new Runs(current)).start(BY_SUBJECT, 0);
    scan.add(new ColumnScan().reset(sorted.words, 0, sorted.step, 0, sorted.count));
    const base = buildBase(scan, this.#quadCount, this.dictionary.termCount);
    this.#working = levelsOf(base);
  }

  #requirePublished(): void {
    if (this.#working !== this.#published || this.#working.log.count !== this.#descriptor.logCount) {
      throw new Error('There are changes that are neither published nor discarded.');
    }
  }

  #describe(sequence: number): SnapshotDescriptor {
    const { base, log } = this.#working;
    return {
      sequence,
      quadCount: this.#quadCount,
      dictionary: this.dictionary.descriptor(),
      base: base.words.buffer,
      deltas: deltasOf(this.#working).map((run) => run.words.buffer),
      log: log.words.buffer,
      logCount: log.count,
    };
  }
}

const emptyCounts = { quads: 0, terms: 0, graphs: 0, predicates: 0 };
