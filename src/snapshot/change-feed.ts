/**
 * The rows of the last commits, in shared memory. Readers that keep a copy of the data in another
 * form follow them at their own pace.
 *
 *     header    generation, capacity in rows, capacity in commits, unused; then, with 64 bits each,
 *               the numbers of the oldest and the newest commit that can be read
 *     commits   a ring of three words each: place of the first row, number of rows, their checksum
 *     rows      a ring of four words each: subject, predicate, object, graph with `REMOVED`
 *
 * There is one writer, and nobody waits. The writer raises the number of the oldest commit before
 * it writes over its rows; a reader copies rows, and then makes sure that their commit is still not
 * older than that. Some processors let a reader see rows that were written after the number earlier
 * than the number: such rows do not match the checksum. (`Atomics.store` for each word would do
 * without one, and takes five times as long.)
 *
 * Ids are those of one generation of the dictionary. A reader of another one starts over.
 */
import type { Changes } from './changes.ts';
import { mix } from './hash.ts';
import { REMOVED } from './order.ts';

const GENERATION = 0;
const ROW_CAPACITY = 1;
const COMMIT_CAPACITY = 2;
/** Places of 64 bits. */
const OLDEST = 2;
const NEWEST = 3;
const HEADER_WORDS = 8;
const COMMIT_WORDS = 3;
const ROW_WORDS = 4;
/**
 * A commit with more than this share of the rows is left out, and all before it: who follows is as
 * quick with the snapshot, and nobody is to wait while so many are written.
 */
const MOST_OF_ROWS = 1 / 4;

export interface FeedCapacity {
  readonly rows: number;
  readonly commits: number;
}

const serverCapacity: FeedCapacity = { rows: 2 ** 20, commits: 2 ** 19 };

export interface FeedCommit {
  readonly sequence: number;
  /** To be done in order, the removals of each first. */
  readonly steps: readonly Changes[];
  /** Its rows are not in `steps`, for they are too many: it is left out, and all before it. */
  readonly inRun?: boolean;
}

/** Memory of a feed in which nothing was written yet. Pages that are never written to take none. */
export function newChangeFeed({ rows, commits }: FeedCapacity = serverCapacity): SharedArrayBuffer {
  const words = HEADER_WORDS + COMMIT_WORDS * commits + ROW_WORDS * rows;
  const buffer = new SharedArrayBuffer(4 * words);
  new Uint32Array(buffer).set([0, rows, commits]);
  return buffer;
}

/** What writer and readers know of the memory. */
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

  /** Where the ring of rows begins. */
  get rows(): number {
    return HEADER_WORDS + COMMIT_WORDS * this.commitCapacity;
  }
}

export class ChangeFeedWriter {
  readonly buffer: SharedArrayBuffer;
  readonly #memory: FeedMemory;
  /**
   * Of each commit that can be read, the number of its first row among all that were ever written.
   */
  readonly #starts: Float64Array;
  #rows = 0;
  #oldest = 1;
  #newest = 0;

  /** `sequence`: of the newest commit so far, which is not in the feed. */
  constructor(buffer: SharedArrayBuffer, sequence: number) {
    this.buffer = buffer;
    this.#memory = new FeedMemory(buffer);
    this.#starts = new Float64Array(this.#memory.commitCapacity);
    this.#startAfter(sequence);
  }

  /** The next commits, by their numbers. */
  write(commits: readonly FeedCommit[]): void {
    for (const commit of commits) this.#write(commit);
  }

  /**
   * From here on ids are those of that generation. If it is another one, nobody can go on with the
   * rows so far.
   */
  renumber(generation: number): void {
    if (this.#memory.generation === generation) return;
    this.#memory.generation = generation;
    this.#startAfter(this.#newest);
  }

  #write({ sequence, steps, inRun }: FeedCommit): void {
    const count =
      steps.reduce((sum, { additions, removals }) => sum + additions.length + removals.length, 0) / 4;
    const isBig = inRun || count > MOST_OF_ROWS * this.#memory.rowCapacity;
    if (isBig || sequence !== this.#newest + 1) this.#startAfter(sequence);
    else this.#append(sequence, steps, count);
  }

  #append(sequence: number, steps: readonly Changes[], count: number): void {
    this.#makeRoom(sequence, count);
    const { words, rowCapacity, generation } = this.#memory;
    const rows = rowsOf(steps, count);
    const start = this.#rows % rowCapacity;
    this.#starts[sequence % this.#starts.length] = this.#rows;
    this.#rows += count;
    const at = this.#memory.commitAt(sequence);
    words[at] = start;
    words[at + 1] = count;
    words[at + 2] = checksum(rows, sequence, generation);
    // A loop, since `set` takes ten times as long into shared memory.
    const first = this.#memory.rows;
    const end = ROW_WORDS * rowCapacity;
    for (let i = 0, to = ROW_WORDS * start; i < rows.length; i++, to++) {
      if (to === end) to = 0;
      words[first + to] = rows[i]!;
    }
    this.#newest = sequence;
    this.#memory.newest = sequence;
  }

  /** Lets go of the oldest commits, until neither their rows nor their places are in the way. */
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

/** Follows a feed, in any thread, from the commit of a snapshot on. */
export class ChangeFeedReader {
  readonly #memory: FeedMemory;
  readonly #generation: number;
  #sequence: number;

  /** `sequence` and `generation`: of the snapshot that the reader has. */
  constructor(buffer: SharedArrayBuffer, sequence: number, generation: number) {
    this.#memory = new FeedMemory(buffer);
    this.#sequence = sequence;
    this.#generation = generation;
  }

  /** Number of the last commit that was read. */
  get sequence(): number {
    return this.#sequence;
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

  /** Undefined when they are not all of that commit. */
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
    return checksum(rows, sequence, this.#generation) === words[commit + 2] ? rows : undefined;
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

function checksum(rows: Uint32Array, sequence: number, generation: number): number {
  let sum = mix(sequence) ^ mix(generation ^ rows.length);
  for (let i = 0; i < rows.length; i++) sum = Math.imul(sum ^ rows[i]!, 0x9e3779b1) ^ (sum >>> 15);
  return sum >>> 0;
}
