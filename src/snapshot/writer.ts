import { BaseRun } from './base-run.ts';
import { type Changes, isEmpty } from './changes.ts';
import { type Compacted, type Compaction, carryOut } from './compact.ts';
import { DeltaRun } from './delta-run.ts';
import type { SnapshotDescriptor } from './descriptor.ts';
import type { Dictionary } from './dictionary.ts';
import { DictionaryWriter, type StoredTerms } from './dictionary-writer.ts';
import {
  addChanges,
  addRun,
  copyLog,
  defaultLimits,
  deltasOf,
  firstBase,
  type LevelLimits,
  type Levels,
  levelsOf,
  type Sealing,
  sealAll,
  type WantedMerge,
  wantedMerge,
  wantedRun,
} from './levels.ts';
import { SnapshotReader } from './reader.ts';

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
  /** The one under way. */
  #compaction: Compaction | undefined;

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
    const first = this.#compaction === undefined ? this.#firstBase(changes) : undefined;
    this.#working = first ?? addChanges(this.#working, changes, this.#sealing);
  }

  /**
   * Takes a run into the working state that another thread has made of effective changes (see `delta-builder.ts`).
   *
   * @param growth quads that it adds, less those that it removes
   */
  addRun(buffer: SharedArrayBuffer, growth: number): void {
    this.#reader = undefined;
    this.#quadCount += growth;
    this.#working = addRun(this.#working, new DeltaRun(buffer), this.#sealing);
  }

  /** Makes the working state the snapshot of that commit. */
  publish(sequence: number): SnapshotDescriptor {
    this.dictionary.publish();
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

  /** Whether there are deltas that another thread should put into a new base run, or make fewer of. */
  get needsCompaction(): boolean {
    return this.#compaction === undefined && wantedMerge(this.#working, this.#limits) !== undefined;
  }

  /**
   * Gives the work for another thread (see `carryOut`). To be called between `publish` and the next `apply`; commits
   * go on meanwhile. The runs that are being merged stay as they are until `install` or `abandonCompaction`.
   *
   * @param wanted what to merge; by itself what is worth it, or all
   */
  beginCompaction(
    wanted: WantedMerge = wantedMerge(this.#working, this.#limits) ?? { into: 'base' },
  ): Compaction {
    this.#requirePublished();
    if (wanted.into === 'base') {
      this.#working = sealAll(this.#working);
      this.publish(this.#descriptor.sequence);
    }
    const to = this.#working.sealed.length;
    const from = wanted.into === 'base' ? 0 : wanted.from;
    this.#compaction = { snapshot: this.#descriptor, into: wanted.into, from, to };
    return this.#compaction;
  }

  /**
   * Takes the run that was made in place of those of which it was made. To be called between `publish` and the next
   * `apply`. False, and nothing done, when the run is no longer wanted.
   */
  install(compaction: Compaction, { run }: Compacted): boolean {
    if (this.#compaction !== compaction) return false;
    this.#requirePublished();
    this.#compaction = undefined;
    const { sealed } = this.#working;
    const [older, newer] = [sealed.slice(0, compaction.from), sealed.slice(compaction.to)];
    if (compaction.into === 'run') {
      const merged = run === null ? [] : [new DeltaRun(run)];
      this.#working = { ...this.#working, sealed: [...older, ...merged, ...newer] };
    } else if (run !== null) {
      this.#working = { ...this.#working, base: new BaseRun(run), sealed: newer };
    }
    this.publish(this.#descriptor.sequence);
    return true;
  }

  /** The compaction came to nothing; the next one takes its runs too. */
  abandonCompaction(): void {
    this.#compaction = undefined;
  }

  /**
   * Makes fewer runs here and now, for a start that takes in many big changes before anybody reads. What was applied
   * can't be discarded any more.
   */
  mergeRuns(): void {
    const wanted = wantedRun(this.#working);
    if (!wanted || this.#compaction) return;
    this.publish(this.#descriptor.sequence);
    const compaction = this.beginCompaction(wanted);
    this.install(compaction, carryOut(compaction));
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

  get #sealing(): Sealing {
    return { limits: this.#limits, fixed: this.#compaction?.to ?? 0 };
  }

  #firstBase(changes: Changes): Levels | undefined {
    return firstBase(this.#working, changes, this.#quadCount, this.dictionary.termCount, this.#limits);
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
