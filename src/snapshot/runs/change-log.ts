import type { TermId } from '../../rdf/model/term-id.ts';
import { mix } from '../dictionary/hash.ts';
import { SYSTEM_GRAPH_ID } from '../graphs/system-graph.ts';
import { BY_GRAPH, BY_OBJECT, BY_SUBJECT, ID_MASK, type Order } from './order.ts';

/** The most quads in a log. It is small, since a lookup may have to sort that many. */
export const LOG_CAPACITY = 512;

const BUCKETS = 1024;
const CHAINS = 3;
/**
 * Subject, predicate, object, graph with `REMOVED`, then the links of the chains by subject, object
 * and graph.
 */
const ENTRY_WORDS = 7;
const ENTRIES = CHAINS * BUCKETS;
const LINKS = 4;

/**
 * The newest changes, in chronological order, each relative to the state before it. Unlike a run,
 * the log grows in place, so that a small commit requires neither sorting nor memory.
 *
 * Every entry is linked into the chains of its hashed subject, object and graph, newest first. A
 * reader that knows `count` entries skips newer ones. Links are 1-based entry numbers, and 0 ends a
 * chain. An entry is complete before it becomes the head of a chain, and never changes.
 */
export class ChangeLog {
  readonly words: Uint32Array<SharedArrayBuffer>;
  count: number;

  constructor(buffer: SharedArrayBuffer, count: number) {
    this.words = new Uint32Array(buffer);
    this.count = count;
  }

  static empty(): ChangeLog {
    return new ChangeLog(new SharedArrayBuffer(4 * (ENTRIES + LOG_CAPACITY * ENTRY_WORDS)), 0);
  }

  /** `graph` is with `REMOVED`. Only the writer may call this. There must be room. */
  append(subject: TermId, predicate: TermId, object: TermId, graph: TermId): void {
    const words = this.words;
    const at = entryAt(++this.count);
    words[at] = subject;
    words[at + 1] = predicate;
    words[at + 2] = object;
    words[at + 3] = graph;
    link(words, BY_SUBJECT, subject, this.count);
    link(words, BY_OBJECT, object, this.count);
    link(words, BY_GRAPH, graph & ID_MASK, this.count);
  }

  /** Copies the first `count` entries into memory of their own. */
  copy(count: number): ChangeLog {
    const { words } = this;
    const copy = ChangeLog.empty();
    for (let entry = 1; entry <= count; entry++) {
      const at = entryAt(entry);
      copy.append(words[at]!, words[at + 1]!, words[at + 2]!, words[at + 3]!);
    }
    return copy;
  }

  /** Copies entries 0 .. count as rows of four words, the last with `REMOVED`. */
  rows(into: Uint32Array): void {
    for (let i = 0; i < this.count; i++) {
      const at = entryAt(i + 1);
      for (let column = 0; column < 4; column++) into[4 * i + column] = this.words[at + column]!;
    }
  }

  /** Whether the log changes that subject or object; `hash` is `mix(id)`. */
  changes(order: 0 | 1, id: TermId, hash: number): boolean {
    const column = order === BY_SUBJECT ? 0 : 2;
    for (
      let entry = Atomics.load(this.words, bucketAt(order, hash));
      entry !== 0;
      entry = this.older(order, entry)
    ) {
      if (entry <= this.count && this.words[entryAt(entry) + column] === id) return true;
    }
    return false;
  }

  /** Returns the number of additions of the quad minus that of its removals. */
  weight(s: TermId, p: TermId, o: TermId, g: TermId): number {
    let weight = 0;
    for (let entry = this.head(BY_SUBJECT, s); entry !== 0; entry = this.older(BY_SUBJECT, entry)) {
      if (entry > this.count || this.id(entry, 0) !== s || this.id(entry, 2) !== o) continue;
      if (this.id(entry, 1) === p && this.id(entry, 3) === g) weight += this.removes(entry) ? -1 : 1;
    }
    return weight;
  }

  /**
   * Returns the number of additions minus that of removals, for quads with the predicate outside
   * the system graph.
   */
  predicateCount(predicate: TermId): number {
    let count = 0;
    for (let entry = 1; entry <= this.count; entry++) {
      if (this.id(entry, 1) === predicate && this.id(entry, 3) !== SYSTEM_GRAPH_ID) {
        count += this.removes(entry) ? -1 : 1;
      }
    }
    return count;
  }

  /**
   * Returns the newest entry that may have the id as subject, object or graph; 0 if there is none.
   */
  head(order: Order, id: TermId): number {
    return Atomics.load(this.words, bucketAt(order, mix(id)));
  }

  older(order: Order, entry: number): number {
    return this.words[entryAt(entry) + LINKS + order]!;
  }

  /** Returns column 0 .. 3 (s, p, o, g) of an entry, without the `REMOVED` bit. */
  id(entry: number, column: number): TermId {
    return this.words[entryAt(entry) + column]! & ID_MASK;
  }

  removes(entry: number): boolean {
    return this.words[entryAt(entry) + 3]! > ID_MASK;
  }
}

function entryAt(entry: number): number {
  return ENTRIES + (entry - 1) * ENTRY_WORDS;
}

function bucketAt(order: Order, hash: number): number {
  return order * BUCKETS + (hash & (BUCKETS - 1));
}

function link(words: Uint32Array, order: Order, id: TermId, entry: number): void {
  const bucket = bucketAt(order, mix(id));
  words[entryAt(entry) + LINKS + order] = words[bucket]!;
  Atomics.store(words, bucket, entry);
}
