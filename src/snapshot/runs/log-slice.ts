import type { TermId } from '../../rdf/model/term-id.ts';
import type { ColumnScan } from '../read/scans.ts';
import type { ChangeLog } from './change-log.ts';
import { ID_MASK, type Order, REMOVED } from './order.ts';

/** For each order, which of s, p, o, g (0 .. 3) its columns have. */
const columnsOf = [
  [0, 1, 2, 3],
  [2, 1, 0, 3],
  [3, 0, 1, 2],
] as const;

const FIRST_ROOM = 8;
const noWords = new Uint32Array(0);

/** Entries of a reader's change log, picked and sorted for one lookup. Its memory is reused. */
export class LogSlice {
  readonly #log: ChangeLog;
  readonly #picked: number[] = [];
  /**
   * Four columns, `#step` words apart. Most lookups pick nothing, so memory is allocated only when
   * it is needed.
   */
  #words: Uint32Array<ArrayBuffer> = noWords;
  #step = 0;
  #count = 0;

  constructor(log: ChangeLog) {
    this.#log = log;
  }

  /** Picks all entries whose first columns are `a`, `b` and `c`, where 0 matches every id. */
  pick(order: Order, a: TermId, b: TermId, c: TermId): void {
    this.#count = 0;
    const picked = a === 0 ? this.#pickAll() : this.#pickChain(order, a, b, c);
    if (picked > this.#step) this.#makeRoom(picked);
    for (let i = picked - 1; i >= 0; i--) this.#insert(order, this.#picked[i]!);
  }

  scan(into: ColumnScan): ColumnScan {
    return into.reset(this.#words, 0, this.#step, 0, this.#count);
  }

  #makeRoom(entries: number): void {
    this.#step = Math.max(FIRST_ROOM, entries);
    this.#words = new Uint32Array(4 * this.#step);
  }

  #pickAll(): number {
    const { count } = this.#log;
    for (let i = 0; i < count; i++) this.#picked[i] = count - i;
    return count;
  }

  /** Newest first, in the order of the chain. */
  #pickChain(order: Order, a: TermId, b: TermId, c: TermId): number {
    const log = this.#log;
    const columns = columnsOf[order];
    let count = 0;
    for (let entry = log.head(order, a); entry !== 0; entry = log.older(order, entry)) {
      if (
        entry <= log.count &&
        log.id(entry, columns[0]) === a &&
        (b === 0 || log.id(entry, columns[1]) === b) &&
        (c === 0 || log.id(entry, columns[2]) === c)
      ) {
        this.#picked[count++] = entry;
      }
    }
    return count;
  }

  /** Insertion sort: later entries tend to have greater ids, so most go to the end. */
  #insert(order: Order, entry: number): void {
    const words = this.#words;
    const step = this.#step;
    const columns = columnsOf[order];
    const a = this.#log.id(entry, columns[0]);
    const b = this.#log.id(entry, columns[1]);
    const c = this.#log.id(entry, columns[2]);
    const d = this.#log.id(entry, columns[3]);
    let at = this.#count++;
    while (at > 0 && this.#isAfter(at - 1, a, b, c, d)) {
      for (let i = at; i < words.length; i += step) words[i] = words[i - 1]!;
      at--;
    }
    words[at] = a;
    words[at + step] = b;
    words[at + 2 * step] = c;
    words[at + 3 * step] = this.#log.removes(entry) ? d | REMOVED : d;
  }

  #isAfter(at: number, a: TermId, b: TermId, c: TermId, d: TermId): boolean {
    const words = this.#words;
    const step = this.#step;
    const first = words[at]!;
    if (first !== a) return first > a;
    const second = words[at + step]!;
    if (second !== b) return second > b;
    const third = words[at + 2 * step]!;
    if (third !== c) return third > c;
    return (words[at + 3 * step]! & ID_MASK) > d;
  }
}
