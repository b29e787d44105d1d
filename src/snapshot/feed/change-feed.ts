/**
 * The rows of the last commits, in shared memory. Readers that keep a copy of the data in another
 * form follow them at their own pace.
 *
 *     header    generation, capacity in rows, capacity in commits, unused; then, with 64 bits each,
 *               the numbers of the oldest and the newest commit that can be read
 *     commits   a ring of five words each: index of the first row, number of rows, the time of the
 *               commit (64 bits, the low ones first), checksum of the rows and the time
 *     rows      a ring of four words each: subject, predicate, object, graph with `REMOVED`
 *
 * There is one writer, and neither it nor a reader ever waits. The writer raises the number of the
 * oldest commit before it overwrites that commit's rows. A reader copies rows, and then checks that
 * their commit is still not older than the oldest one. On some processors a reader may see the new
 * rows before it sees the new number: such rows do not match the checksum. (With `Atomics.store`
 * for each word no checksum would be needed, but that takes five times as long.)
 *
 * All ids belong to one generation of the dictionary. A reader with another generation starts over.
 */

import { mix } from '../dictionary/hash.ts';
import { REMOVED } from '../runs/order.ts';
import type { Changes } from '../write/changes.ts';

const GENERATION = 0;
const ROW_CAPACITY = 1;
const COMMIT_CAPACITY = 2;
/** Index in 64-bit words. */
const OLDEST = 2;
const NEWEST = 3;
const HEADER_WORDS = 8;
const COMMIT_WORDS = 5;
const ROW_WORDS = 4;
/**
 * A commit with more than this share of the rows is left out, together with all earlier ones.
 * Readers are as fast with the snapshot, and the writer does not delay others by writing so many
 * rows.
 */
const MOST_OF_ROWS = 1 / 4;

export interface FeedCapacity {
  readonly rows: number;
  readonly commits: number;
}

const serverCapacity: FeedCapacity = { rows: 2 ** 20, commits: 2 ** 19 };

export interface FeedCommit {
  readonly sequence: number;
  /** When it was committed, in milliseconds since 1970. */
  readonly header: { readonly time: number };
  /** Apply them in order, the removals of each first. */
  readonly steps: readonly Changes[];
  /**
   * True if its rows are not in `steps` because there are too many. The commit is left out,
   * together with all earlier ones.
   */
  readonly inRun?: boolean;
}

/** Allocates the memory of an empty feed. Pages that are never written to use no memory. */
export function newChangeFeed({ rows, commits }: FeedCapacity = serverCapacity): SharedArrayBuffer {
  const words = HEADER_WORDS + COMMIT_WORDS * commits + ROW_WORDS * rows;
  const buffer = new SharedArrayBuffer(4 * words);
  new Uint32Array(buffer).set([0, rows, commits]);
  return buffer;
}

/** The layout of the memory, shared by writer and readers. */
class FeedMemory {
  readonly words: Uint32Array;
  readonly rowCapacity: number;
  readonly commitCapacity: number;
  readonly #numbers: BigUint64Array;

  constructor(buffer: SharedArrayBuffer) {
    this.words = new Uint32Array(buffer);
    this.#numbers = new BigUint64Array(buffer, 0, HEADER_WORDS / 2);
    this.rowCapacity = this.words[ROW_CAPACITY]!;
    this.commitCapacity = this.words[COMMIT_CAPACITY]!;
  }

  get generation(): number {
    return Atomics.load(this.words, GENERATION);
  }

  set generation(generation: number) {
    Atomics.store(this.words, GENERATION, generation);
  }

  get oldest(): number {
    return Number(Atomics.load(this.#numbers, OLDEST));
  }

  set oldest(sequence: number) {
    Atomics.store(this.#numbers, OLDEST, BigInt(sequence));
  }

  get newest(): number {
    return Number(Atomics.load(this.#numbers, NEWEST));
  }

  set newest(sequence: number) {
    Atomics.store(this.#numbers, NEWEST, BigInt(sequence));
  }

  commitAt(sequence: number): number {
    return HEADER_WORDS + COMMIT_WORDS * (sequence % this.commitCapacity);
  }

  /** Start of the ring of rows. */
  get rows(): number {
    return HEADER_WORDS + COMMIT_WORDS * this.commitCapacity;
  }
}

export class ChangeFeedWriter {
  readonly buffer: SharedArrayBuffer;
  readonly #memory: FeedMemory;
  /**
   * For each readable commit, the number of its first row among all rows that were ever written.
   */
  readonly #starts: Float64Array;
  #rows = 0;
  #oldest = 1;
  #newest = 0;

  /** `sequence` is the number of the newest commit so far, which is not in the feed. */
  constructor(buffer: SharedArrayBuffer, sequence: number) {
    this.buffer = buffer;
    this.#memory = new FeedMemory(buffer);
    this.#starts = new Float64Array(this.#memory.commitCapacity);
    this.#startAfter(sequence);
  }

  /** A commit with more rows is left out, together with all earlier ones. */
  get mostRows(): number {
    return MOST_OF_ROWS * this.#memory.rowCapacity;
  }

  /** Appends the next commits, in the order of their numbers. */
  write(commits: readonly FeedCommit[]): void {
    for (const commit of commits) this.#write(commit);
  }

  /**
   * From now on ids are those of that generation. If the generation changes, which this returns,
   * the rows written so far become useless to readers.
   */
  renumber(generation: number): boolean {
    if (this.#memory.generation === generation) return false;
    this.#memory.generation = generation;
    this.#startAfter(this.#newest);
    return true;
  }

  #write(commit: FeedCommit): void {
    const { sequence, steps, inRun } = commit;
    const count =
      steps.reduce((sum, { additions, removals }) => sum + additions.length + removals.length, 0) / 4;
    const isBig = inRun || count > this.mostRows;
    if (isBig || sequence !== this.#newest + 1) this.#startAfter(sequence);
    else this.#append(commit, count);
  }

  #append({ sequence, header, steps }: FeedCommit, count: number): void {
    this.#makeRoom(sequence, count);
    const { words, rowCapacity, generation } = this.#memory;
    const rows = rowsOf(steps, count);
    const start = this.#rows % rowCapacity;
    this.#starts[sequence % this.#starts.length] = this.#rows;
    this.#rows += count;
    const at = this.#memory.commitAt(sequence);
    words[at] = start;
    words[at + 1] = count;
    writeTime(words, at + 2, header.time);
    words[at + 4] = checksum(rows, sequence, generation, header.time);
    // A loop, because `set` takes ten times as long into shared memory.
    const first = this.#memory.rows;
    const end = ROW_WORDS * rowCapacity;
    for (let i = 0, to = ROW_WORDS * start; i < rows.length; i++, to++) {
      if (to === end) to = 0;
      words[first + to] = rows[i]!;
    }
    this.#newest = sequence;
    this.#memory.newest = sequence;
  }

  /** Drops the oldest commits until neither their rows nor their entries are in the way. */
  #makeRoom(sequence: number, count: number): void {
    const { rowCapacity, commitCapacity } = this.#memory;
    const before = this.#oldest;
    while (this.#oldest < sequence) {
      const kept = this.#rows + count - this.#starts[this.#oldest % commitCapacity]!;
      if (kept <= rowCapacity && sequence - this.#oldest < commitCapacity) break;
      this.#oldest++;
    }
    if (this.#oldest !== before) this.#memory.oldest = this.#oldest;
  }

  #startAfter(sequence: number): void {
    this.#oldest = sequence + 1;
    this.#memory.oldest = sequence + 1;
    this.#newest = sequence;
    this.#memory.newest = sequence;
  }
}

/** Number of the oldest commit that a feed has; the next one to come if it has none. */
export function oldestInFeed(buffer: SharedArrayBuffer): number {
  return new FeedMemory(buffer).oldest;
}

/** Follows a feed, in any thread, starting after the commit of a snapshot. */
export class ChangeFeedReader {
  readonly #memory: FeedMemory;
  readonly #generation: number;
  #sequence: number;
  #time = 0;

  /** `sequence` and `generation` are those of the reader's snapshot. */
  constructor(buffer: SharedArrayBuffer, sequence: number, generation: number) {
    this.#memory = new FeedMemory(buffer);
    this.#sequence = sequence;
    this.#generation = generation;
  }

  /** Number of the last commit that was read. */
  get sequence(): number {
    return this.#sequence;
  }

  /** When that commit was made, in milliseconds since 1970. */
  get time(): number {
    return this.#time;
  }

  /**
   * Reads the rows of the next commit into an array that the caller owns. Returns undefined if
   * there is no newer commit. Returns `lost` if the commit has been overwritten: then discard the
   * reader and start over from the newest snapshot.
   */
  next(): Uint32Array | 'lost' | undefined {
    const sequence = this.#sequence + 1;
    if (this.#memory.newest < sequence && this.#memory.generation === this.#generation) return undefined;
    if (!this.#has(sequence)) return 'lost';
    const rows = this.#copy(sequence);
    if (rows === undefined || !this.#has(sequence)) return 'lost';
    this.#sequence = sequence;
    return rows;
  }

  #has(sequence: number): boolean {
    return sequence >= this.#memory.oldest && this.#memory.generation === this.#generation;
  }

  /** Returns undefined if the rows are not all from that commit. */
  #copy(sequence: number): Uint32Array | undefined {
    const { words, rowCapacity } = this.#memory;
    const commit = this.#memory.commitAt(sequence);
    const rows = new Uint32Array(ROW_WORDS * words[commit + 1]!);
    const first = this.#memory.rows;
    const end = ROW_WORDS * rowCapacity;
    for (let i = 0, from = ROW_WORDS * words[commit]!; i < rows.length; i++, from++) {
      if (from === end) from = 0;
      rows[i] = words[first + from]!;
    }
    this.#time = readTime(words, commit + 2);
    return checksum(rows, sequence, this.#generation, this.#time) === words[commit + 4] ? rows : undefined;
  }
}

function rowsOf(steps: readonly Changes[], count: number): Uint32Array {
  const rows = new Uint32Array(ROW_WORDS * count);
  let at = 0;
  for (const { removals, additions } of steps) {
    rows.set(removals, at);
    const end = at + removals.length;
    for (let i = at + 3; i < end; i += ROW_WORDS) rows[i]! |= REMOVED;
    rows.set(additions, end);
    at = end + additions.length;
  }
  return rows;
}

function writeTime(words: Uint32Array, at: number, time: number): void {
  words[at] = time % 2 ** 32;
  words[at + 1] = Math.floor(time / 2 ** 32);
}

function readTime(words: Uint32Array, at: number): number {
  return words[at]! + 2 ** 32 * words[at + 1]!;
}

function checksum(rows: Uint32Array, sequence: number, generation: number, time: number): number {
  let sum = mix(sequence) ^ mix(generation ^ rows.length) ^ mix(time);
  for (let i = 0; i < rows.length; i++) sum = Math.imul(sum ^ rows[i]!, 0x9e3779b1) ^ (sum >>> 15);
  return sum >>> 0;
}
