import type { SnapshotDescriptor } from '../descriptor.ts';
import { Dictionary } from '../dictionary/dictionary.ts';
import { BYTES_A_TERM, hasRoom, type Renumbering, rowsOfRun, TermMap } from '../dictionary/renumbering.ts';
import { DictionaryWriter, type StoredTerms } from '../dictionary/term-writer.ts';
import { SnapshotError } from '../errors.ts';
import { SnapshotReader } from '../read/reader.ts';
import { BaseRun, baseWords, fitsBase } from '../runs/base-run.ts';
import { type Compacted, type Compaction, carryOut } from '../runs/compact.ts';
import { buildDelta } from '../runs/delta-builder.ts';
import { DeltaRun } from '../runs/delta-run.ts';
import { sortQuads } from '../runs/sorted-quads.ts';
import { type Changes, isEmpty } from './changes.ts';
import {
  addChanges,
  addRun,
  compactionLimit,
  defaultLimits,
  deltasOf,
  firstBase,
  type LevelLimits,
  type Levels,
  levelsOf,
  quadsIn,
  type Sealing,
  sealAll,
  type WantedMerge,
  wantedMerge,
  wantedRun,
} from './levels.ts';

/** If there are fewer dead terms, they are kept. */
const LEAST_DEAD = 1 << 16;
/** The share by which terms may grow before a base run is built to drop dead ones. */
const GROWTH = 1 / 4;
/** The most terms that the writer's own thread moves into another dictionary. */
const NEAR_TERMS = 1 << 15;
/** The most attempts to bring another dictionary up to date while changes keep coming. */
const MOST_ROUNDS = 6;

/** A stored snapshot, see `image.ts`. */
export interface StoredSnapshot extends StoredTerms {
  readonly sequence: number;
  readonly base: SharedArrayBuffer;
  /** Number of terms that occur in quads; undefined if they were not counted. */
  readonly usedTerms?: number | undefined;
}

/** The result of a compaction of the first `to` deltas. */
interface Renumbered {
  readonly compacted: Compacted;
  readonly to: number;
  readonly rounds: number;
}

/** The bytes that the current state uses, and the total size of its buffers. */
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
 * The only writer of snapshots. Changes go into a working state, which `reader` shows; `publish`
 * makes it a snapshot for all threads, `discard` returns to the last published one. Published
 * snapshots never change.
 */
export class SnapshotWriter {
  readonly dictionary: DictionaryWriter;
  readonly #limits: LevelLimits;
  #working: Levels;
  #quadCount: number;
  #published: Levels;
  #descriptor: SnapshotDescriptor;
  #reader: SnapshotReader | undefined;
  /** The compaction in progress. */
  #compaction: Compaction | undefined;
  /** A base run with other ids that cannot be installed yet. */
  #renumbered: Renumbered | undefined;
  /**
   * True if dead terms could not be dropped because too many changes came in: the next base run
   * keeps them.
   */
  #hurried = false;
  /** Callers that need the ids to stay as they are, see `holdIds`. */
  readonly #holders = new Set<symbol>();

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

  /** Returns the working state; the same reader until the state changes. */
  reader(): SnapshotReader {
    if (this.#reader?.terms.termCount !== this.dictionary.termCount) this.#reader = undefined;
    this.#reader ??= new SnapshotReader(this.#describe(this.#descriptor.sequence));
    return this.#reader;
  }

  /** Number of quads in the working state. */
  get quadCount(): number {
    return this.#quadCount;
  }

  /** All terms, including those of unpublished changes. */
  get terms(): Dictionary {
    return this.reader().terms;
  }

  /** Applies effective changes (see `change-plan.ts`) to the working state. Error: `store-full`. */
  apply(changes: Changes): void {
    if (isEmpty(changes)) return;
    const { additions, removals } = changes;
    if (additions.length > 0) this.#requireRoom(additions.length / 4);
    this.#reader = undefined;
    this.#quadCount += (additions.length - removals.length) / 4;
    const first = this.#isCompacting ? undefined : this.#firstBase(changes);
    this.#working = first ?? addChanges(this.#working, changes, this.#sealing);
  }

  /**
   * Adds a run to the working state that another thread has built from effective changes (see
   * `delta-builder.ts`). Error: `store-full`.
   *
   * @param growth number of quads that it adds, minus that of those that it removes
   */
  addRun(buffer: SharedArrayBuffer, growth: number): void {
    if (growth > 0) this.#requireRoom(growth);
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
    this.#limitWaiting();
    return this.#descriptor;
  }

  /**
   * Keeps the ids of all terms until the returned function is called, for work on ids that runs
   * concurrently with commits. Meanwhile dead terms are not dropped.
   */
  holdIds(): () => void {
    const holder = Symbol();
    this.#holders.add(holder);
    return () => this.#holders.delete(holder);
  }

  /** Discards the changes since the last `publish`, and the terms that were added with them. */
  discard(): void {
    const { logCount, quadCount, dictionary } = this.#descriptor;
    this.dictionary.forget(dictionary.termCount);
    // Readers may be walking the log's chains, so its unpublished end is not overwritten.
    this.#working = { ...this.#published, log: this.#published.log.copy(logCount) };
    this.#published = this.#working;
    this.#quadCount = quadCount;
    this.#reader = undefined;
  }

  /** Whether another thread should build a new base run, drop dead terms, or merge deltas. */
  get needsCompaction(): boolean {
    if (this.#compaction) return false;
    return this.#renumbered ? this.#holders.size === 0 : this.#wanted !== undefined;
  }

  /** Whether a new base run would use notably less memory than the present one with its deltas. */
  get canShrink(): boolean {
    if (this.#compaction || this.#renumbered) return false;
    const { base } = this.#working;
    const used = deltasOf(this.#working).reduce((sum, run) => sum + run.words.length, base.words.length);
    const { graphs, predicates } = base;
    const needed = baseWords({
      quads: this.#quadCount,
      terms: this.dictionary.termCount,
      graphs,
      predicates,
    });
    return used - needed > used / 32;
  }

  /**
   * Returns the work for another thread (see `carryOut`). Call it between `publish` and the next
   * `apply`; commits may go on meanwhile. The runs that are being merged do not change until
   * `install` or `abandonCompaction`.
   *
   * @param wanted what to merge; by default the merge that is worthwhile, or everything
   */
  beginCompaction(wanted: WantedMerge = this.#wanted ?? { into: 'base' }): Compaction {
    this.#requirePublished();
    const made = this.#renumbered;
    if (made || wanted.into === 'base') {
      this.#working = sealAll(this.#working);
      this.publish(this.#descriptor.sequence);
    }
    const work = { snapshot: this.#descriptor, from: 0, to: this.#working.sealed.length };
    if (made) this.#compaction = { ...work, into: 'renumbered', from: made.to, made: made.compacted };
    else if (wanted.into === 'run') this.#compaction = { ...work, into: 'run', from: wanted.from };
    else this.#compaction = { ...work, into: 'base', leastDead: this.#leastDead };
    return this.#compaction;
  }

  /**
   * Replaces the compacted runs by the result. Call it between `publish` and the next `apply`.
   * Returns false if the state is unchanged: the result is no longer wanted, or so much was added
   * meanwhile that the next compaction must bring it up to date.
   */
  install(compaction: Compaction, compacted: Compacted): boolean {
    if (this.#compaction !== compaction) return false;
    this.#requirePublished();
    this.#compaction = undefined;
    const { renumbering, run } = compacted;
    if (renumbering && run) return this.#installRenumbered(compaction.to, compacted, renumbering, run);
    const { sealed } = this.#working;
    const [older, newer] = [sealed.slice(0, compaction.from), sealed.slice(compaction.to)];
    if (compaction.into === 'run') {
      const merged = run === null ? [] : [new DeltaRun(run)];
      this.#working = { ...this.#working, sealed: [...older, ...merged, ...newer] };
    } else if (run !== null) {
      this.#working = { ...this.#working, base: new BaseRun(run), sealed: newer };
      this.#hurried = false;
    }
    this.publish(this.#descriptor.sequence);
    return true;
  }

  /** Call it if the compaction has no result; the next one covers its runs too. */
  abandonCompaction(): void {
    this.#compaction = undefined;
    this.#renumbered = undefined;
  }

  /**
   * Merges runs in this thread, for a start that applies many large changes before there are
   * readers. Changes that were applied before cannot be discarded any more.
   */
  mergeRuns(): void {
    const wanted = wantedRun(this.#working);
    if (!wanted || this.#isCompacting) return;
    this.publish(this.#descriptor.sequence);
    const compaction = this.beginCompaction(wanted);
    this.install(compaction, carryOut(compaction));
  }

  /**
   * Drops dead terms in this thread, for processes that must all have the same ids: the result only
   * depends on the quads and on the ids before. The working state is published first. A compaction
   * in progress is abandoned. Terms are kept if few of them are dead.
   *
   * @param sequence number of the commit that is in the working state
   */
  dropDeadTerms(sequence: number): void {
    if (this.#holders.size > 0) throw new Error('The ids of terms are in use.');
    this.abandonCompaction();
    this.#working = sealAll(this.#working);
    const snapshot = this.publish(sequence);
    const to = this.#working.sealed.length;
    const compaction: Compaction = { snapshot, from: 0, to, into: 'base', leastDead: 1 };
    this.#compaction = compaction;
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
    return { limits: this.#limits, fixed: (this.#compaction ?? this.#renumbered)?.to ?? 0 };
  }

  get #isCompacting(): boolean {
    return this.#compaction !== undefined || this.#renumbered !== undefined;
  }

  get #leastDead(): number {
    const keepsAll = this.#hurried || this.#holders.size > 0;
    return keepsAll ? Number.POSITIVE_INFINITY : (this.#limits.deadTerms ?? LEAST_DEAD);
  }

  get #wanted(): WantedMerge | undefined {
    const merge = wantedMerge(this.#working, this.#limits);
    return merge?.into !== 'base' && this.#termsHaveGrown ? { into: 'base' } : merge;
  }

  /**
   * Whether many terms were added since the base run was built: values that change all the time
   * have no other effect that could be noticed.
   */
  get #termsHaveGrown(): boolean {
    const { dictionary } = this;
    const { terms } = this.#working.base;
    const least = this.#limits.deadTerms ?? LEAST_DEAD;
    const more = dictionary.termCount - terms;
    const known = dictionary.bytesOf(terms);
    const bytes = dictionary.bytesOf(dictionary.termCount) - known;
    return (
      (more > least && more > GROWTH * terms) || (bytes > BYTES_A_TERM * least && bytes > GROWTH * known)
    );
  }

  /** Maps what was added since, or leaves it to another thread if it is much. */
  #installRenumbered(
    to: number,
    compacted: Compacted,
    renumbering: Renumbering,
    run: SharedArrayBuffer,
  ): boolean {
    if (!this.#isNear(renumbering, to)) {
      const rounds = (this.#renumbered?.rounds ?? 0) + 1;
      this.#renumbered = { compacted, to, rounds };
      if (rounds > MOST_ROUNDS) this.#keepDead();
      return false;
    }
    this.#renumbered = undefined;
    const { sealed } = sealAll({ ...this.#working, sealed: this.#working.sealed.slice(to) });
    const map = this.#adopt(renumbering);
    const newer = buildDelta(sortQuads(map.rows(sealed.map(rowsOfRun))));
    const since = renumbering.since ? new DeltaRun(renumbering.since) : undefined;
    const runs = [since, newer].filter((delta) => delta !== undefined);
    this.#working = { ...levelsOf(new BaseRun(run)), sealed: runs };
    this.publish(this.#descriptor.sequence);
    return true;
  }

  /** Gives up a base run with other ids because others would have to wait too long for it. */
  #keepDead(): void {
    this.#renumbered = undefined;
    this.#hurried = true;
  }

  /** Limits the changes that accumulate while ids are held. */
  #limitWaiting(): void {
    if (!this.#renumbered || this.#compaction || this.#holders.size === 0) return;
    const { base, sealed } = this.#working;
    const newer = quadsIn(sealed.slice(this.#renumbered.to));
    if (newer > compactionLimit(base, this.#limits)) this.#keepDead();
  }

  /** Whether little was added after it. */
  #isNear(renumbering: Renumbering, to: number): boolean {
    const { dictionary } = this;
    const { termCount } = dictionary;
    const { sealed, recent } = this.#working;
    const quads = quadsIn(sealed.slice(to)) + (recent?.quads ?? 0);
    const bytes = dictionary.bytesOf(termCount) - dictionary.bytesOf(renumbering.termCount);
    return (
      this.#holders.size === 0 &&
      quads <= 2 * this.#limits.recent &&
      termCount - renumbering.termCount <= NEAR_TERMS &&
      bytes <= BYTES_A_TERM * NEAR_TERMS &&
      hasRoom(renumbering, termCount)
    );
  }

  /** Switches to the other dictionary, and adds the terms that were added meanwhile. */
  #adopt({ dictionary, numbers, termCount }: Renumbering): TermMap {
    const old = new Dictionary(this.dictionary.descriptor());
    this.dictionary.adopt(dictionary);
    const map = new TermMap(old, this.dictionary, new Uint32Array(numbers));
    map.takeAfter(termCount);
    return map;
  }

  #firstBase(changes: Changes): Levels | undefined {
    const after = { quads: this.#quadCount, terms: this.dictionary.termCount };
    return firstBase(this.#working, changes, after, this.#limits);
  }

  #requireRoom(additions: number): void {
    if (fitsBase(this.#quadCount + additions, this.dictionary.termCount)) return;
    throw new SnapshotError('store-full', `The store has ${this.#quadCount} triples and cannot take more.`);
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
