import type { TermId } from '../../rdf/model/term-id.ts';
import type { ColumnScan } from '../read/scans.ts';
import type { ChangeLog } from './change-log.ts';
import { type Order, REMOVED } from './order.ts';
import { SortedColumns } from './sorted-columns.ts';

/** For each order, which of s, p, o, g (0 .. 3) its columns have. */
const columnsOf = [
  [0, 1, 2, 3],
  [2, 1, 0, 3],
  [3, 0, 1, 2],
] as const;

const FIRST_ROOM = 8;
const noQuads = SortedColumns.allocate(0);

/** Entries of a reader's change log, picked and sorted for one lookup. Its memory is reused. */
export class LogSlice {
  readonly #log: ChangeLog;
  readonly #picked: number[] = [];
  /**
   * Room for the entries and one more. Most lookups pick nothing, so memory is allocated only when
   * it is needed.
   */
  #columns = noQuads;
  #count = 0;

  constructor(log: ChangeLog) {
    this.#log = log;
  }

  /** Picks all entries whose first columns are `a`, `b` and `c`, where 0 matches every id. */
  pick(order: Order, a: TermId, b: TermId, c: TermId): void {
    this.#count = 0;
    const picked = a === 0 ? this.#pickAll() : this.#pickChain(order, a, b, c);
    if (picked > 0) this.#makeRoom(picked);
    for (let i = picked - 1; i >= 0; i--) this.#insert(order, this.#picked[i]!);
  }

  scan(into: ColumnScan): ColumnScan {
    return into.reset(this.#columns, 0, this.#count);
  }

  #makeRoom(entries: number): void {
    if (entries < this.#columns.count) return;
    this.#columns = SortedColumns.allocate(Math.max(FIRST_ROOM, entries + 1));
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

  /**
   * Insertion sort: later entries tend to have greater ids, so most go to the end. The last place
   * of the columns has the new entry for comparisons.
   */
  #insert(order: Order, entry: number): void {
    const columns = this.#columns;
    const last = columns.count - 1;
    this.#write(order, entry, last);
    let at = this.#count++;
    for (; at > 0 && columns.compare(at - 1, columns, last) > 0; at--) columns.copy(columns, at - 1, at);
    columns.copy(columns, last, at);
  }

  #write(order: Order, entry: number, to: number): void {
    const { words, step } = this.#columns;
    const [a, b, c, d] = columnsOf[order];
    const last = this.#log.id(entry, d);
    words[to] = this.#log.id(entry, a);
    words[to + step] = this.#log.id(entry, b);
    words[to + 2 * step] = this.#log.id(entry, c);
    words[to + 3 * step] = this.#log.removes(entry) ? last | REMOVED : last;
  }
}
