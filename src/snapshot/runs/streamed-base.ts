import type { SnapshotDescriptor } from '../descriptor.ts';
import { usedTerms } from '../dictionary/unused-terms.ts';
import { SYSTEM_GRAPH_ID } from '../graphs/system-graph.ts';
import { BaseRun, baseWords } from './base-run.ts';
import { MergedScan } from './merged-scan.ts';
import { BY_OBJECT, BY_SUBJECT } from './order.ts';
import { Runs } from './runs.ts';

const CHUNK_BYTES = 1024 * 1024;
/** Number of rows of three words in one chunk. */
const CHUNK_ROWS = 1 << 16;

/** A base run as a sequence of bytes. */
export interface StreamedBase {
  readonly bytes: number;
  /** Number of terms that its quads use. */
  readonly usedTerms: number;
  /** Each chunk is valid until the next one is requested. */
  chunks(): Generator<Uint8Array>;
}

/**
 * Returns the base run with the quads of the whole snapshot. It is never in memory as a whole,
 * unless it is the snapshot's own base run.
 */
export function streamBase(descriptor: SnapshotDescriptor): StreamedBase {
  const { base, deltas, logCount, dictionary } = descriptor;
  if (deltas.length > 0 || logCount > 0) return new MergedBase(descriptor);
  return {
    bytes: base.byteLength,
    usedTerms: usedTerms(new BaseRun(base), dictionary.termCount),
    chunks: () => bytesOf(base, base.byteLength),
  };
}

/** Yields the first bytes of shared memory. */
export function* bytesOf(buffer: SharedArrayBuffer | ArrayBuffer, bytes: number): Generator<Uint8Array> {
  for (let from = 0; from < bytes; from += CHUNK_BYTES) {
    yield new Uint8Array(buffer, from, Math.min(CHUNK_BYTES, bytes - from));
  }
}

/**
 * All runs of a snapshot merged into a base run. The runs are walked three times: to count, in
 * subject order and in object order. This needs four bytes of memory for each quad and twenty for
 * each term.
 */
class MergedBase implements StreamedBase {
  readonly bytes: number;
  readonly usedTerms: number;
  readonly #scan: MergedScan;
  readonly #quads: number;
  readonly #terms: number;
  /** Number of quads for each id in a column. */
  readonly #subjects: Uint32Array;
  readonly #objects: Uint32Array;
  readonly #graphs: Uint32Array;
  readonly #predicates: Uint32Array;
  /** The same without quads of the system graph. */
  readonly #visible: Uint32Array;
  readonly #graphIds: readonly number[];
  readonly #predicateIds: readonly number[];

  constructor(descriptor: SnapshotDescriptor) {
    const terms = descriptor.dictionary.termCount;
    const counts = () => new Uint32Array(terms + 2);
    this.#scan = new MergedScan(new Runs(descriptor));
    this.#terms = terms;
    this.#subjects = counts();
    this.#objects = counts();
    this.#graphs = counts();
    this.#predicates = counts();
    this.#visible = counts();
    this.#quads = this.#count();
    if (this.#quads !== descriptor.quadCount) {
      throw new Error(`The snapshot should have ${descriptor.quadCount} quads but has ${this.#quads}.`);
    }
    this.#graphIds = idsIn(this.#graphs);
    this.#predicateIds = idsIn(this.#predicates);
    this.bytes = 4 * baseWords(this.#shape);
    this.usedTerms = this.#countUsed();
  }

  *chunks(): Generator<Uint8Array> {
    const { quads, terms, graphs, predicates } = this.#shape;
    const positions = new Uint32Array(quads);
    const graphStarts = startsOf(this.#graphs);
    yield* wordsOf([quads, terms, graphs, predicates]);
    yield* wordsOf(startsOf(this.#subjects));
    yield* this.#rows(BY_SUBJECT, positions, graphStarts.slice());
    yield* wordsOf(startsOf(this.#objects));
    yield* this.#rows(BY_OBJECT);
    yield* wordsOf(this.#graphIds);
    yield* wordsOf([...this.#graphIds.map((id) => graphStarts[id]!), quads]);
    yield* wordsOf(positions);
    yield* wordsOf(this.#predicateIds);
    yield* wordsOf(this.#predicateIds.map((id) => this.#visible[id]!));
  }

  get #shape() {
    const [graphs, predicates] = [this.#graphIds.length, this.#predicateIds.length];
    return { quads: this.#quads, terms: this.#terms, graphs, predicates };
  }

  #count(): number {
    const scan = this.#scan.start(BY_SUBJECT, 0);
    let quads = 0;
    for (; scan.next(); quads++) {
      this.#subjects[scan.a]!++;
      this.#predicates[scan.b]!++;
      this.#objects[scan.c]!++;
      this.#graphs[scan.d]!++;
      if (scan.d !== SYSTEM_GRAPH_ID) this.#visible[scan.b]!++;
    }
    return quads;
  }

  #countUsed(): number {
    let used = 0;
    for (let id = 1; id <= this.#terms; id++) {
      const quads = this.#subjects[id]! + this.#predicates[id]! + this.#objects[id]! + this.#graphs[id]!;
      if (quads > 0 || id === SYSTEM_GRAPH_ID) used++;
    }
    return used;
  }

  /**
   * Yields rows of the three columns after the first. If `positions` is given, records in it the
   * positions of the quads of each graph.
   */
  *#rows(order: 0 | 1, positions?: Uint32Array, next = noWords): Generator<Uint8Array> {
    const chunk = new Uint32Array(3 * CHUNK_ROWS);
    const scan = this.#scan.start(order, 0);
    let at = 0;
    for (let row = 0; scan.next(); row++) {
      chunk[at++] = scan.b;
      chunk[at++] = scan.c;
      chunk[at++] = scan.d;
      if (positions) positions[next[scan.d]!++] = row;
      if (at < chunk.length) continue;
      yield asBytes(chunk, at);
      at = 0;
    }
    yield asBytes(chunk, at);
  }
}

const noWords = new Uint32Array(0);

function wordsOf(words: ArrayLike<number>): Generator<Uint8Array> {
  const { buffer, byteLength } = words instanceof Uint32Array ? words : Uint32Array.from(words);
  return bytesOf(buffer, byteLength);
}

function asBytes(words: Uint32Array, count: number): Uint8Array {
  return new Uint8Array(words.buffer, 0, 4 * count);
}

function idsIn(counts: Uint32Array): number[] {
  const ids: number[] = [];
  for (let id = 0; id < counts.length; id++) if (counts[id] !== 0) ids.push(id);
  return ids;
}

/** Computes from counts where each id's range begins. */
function startsOf(counts: Uint32Array): Uint32Array {
  const starts = new Uint32Array(counts.length);
  let start = 0;
  for (let id = 0; id < counts.length; id++) {
    starts[id] = start;
    start += counts[id]!;
  }
  return starts;
}
