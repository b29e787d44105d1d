import type { TermId } from '../../rdf/model/term-id.ts';
import { mix } from '../dictionary/hash.ts';
import { BaseGraphScan, BaseOrderScan, ColumnScan, type Scan } from '../read/scans.ts';
import type { BaseRun } from './base-run.ts';
import type { ChangeLog } from './change-log.ts';
import { type DeltaRun, filterBits } from './delta-run.ts';
import { LogSlice } from './log-slice.ts';
import { BY_GRAPH, BY_SUBJECT, type Order } from './order.ts';

/** The runs of a snapshot, the deltas with the oldest first. */
interface ScannedRuns {
  readonly base: BaseRun;
  readonly deltas: readonly DeltaRun[];
  readonly log: ChangeLog;
}

/**
 * Walks over the quads that all runs of a snapshot result in together, in one order, each once. All
 * runs are walked simultaneously. Since every change is relative to older ones, the weights of a
 * quad add up to 1 if it exists and to 0 if it does not. One object serves any number of walks, one
 * after another, without allocating.
 */
export class MergedScan implements Scan {
  a = 0;
  b = 0;
  c = 0;
  d = 0;
  readonly weight = 1;
  readonly #runs: ScannedRuns;
  readonly #baseOrder: BaseOrderScan;
  readonly #baseGraph: BaseGraphScan;
  readonly #deltas: readonly ColumnScan[];
  readonly #logSlice: LogSlice;
  readonly #logScan = new ColumnScan();
  /** Sources that are not at their end, the one with the least quad last. */
  readonly #active: Scan[] = [];
  /** The base run's source for the present walk. */
  #base: Scan;

  constructor(runs: ScannedRuns) {
    this.#runs = runs;
    this.#baseOrder = new BaseOrderScan(runs.base);
    this.#baseGraph = new BaseGraphScan(runs.base);
    this.#base = this.#baseGraph;
    this.#deltas = runs.deltas.map(() => new ColumnScan());
    this.#logSlice = new LogSlice(runs.log);
  }

  /**
   * Begins a walk over all quads whose first columns are `a`, `b` and `c`. A 0 matches every id, in
   * its column and in all following ones.
   */
  start(order: Order, a: TermId, b: TermId = 0, c: TermId = 0): this {
    this.#active.length = 0;
    this.#base = order === BY_GRAPH ? this.#baseGraph.reset(a) : this.#baseSlice(order, a, b, c);
    this.add(this.#base);
    const hash = mix(a);
    const bits = filterBits(hash);
    for (let i = 0; i < this.#deltas.length; i++) {
      const concerned = a === 0 || order === BY_GRAPH || this.#runs.deltas[i]!.mayChange(order, hash, bits);
      if (concerned) this.add(this.#deltas[i]!.select(this.#runs.deltas[i]!.order(order), a, b, c));
    }
    if (this.#runs.log.count > 0) {
      this.#logSlice.pick(order, a, b, c);
      this.add(this.#logSlice.scan(this.#logScan));
    }
    return this;
  }

  /**
   * Begins a walk in which subjects ascend, from the given one on: in `BY_SUBJECT` over all quads,
   * in `BY_OBJECT` over those with object `a` and predicate `b`, in `BY_GRAPH` over those of graph
   * `a`. It may begin with a few quads of lesser subjects, from the log.
   */
  startSubjects(order: Order, subject: TermId, a: TermId, b: TermId): this {
    this.#active.length = 0;
    this.#base = this.#baseSubjects(order, subject, a, b);
    this.add(this.#base);
    const begin = subjectsBegin(order, subject, a, b);
    const end = subjectsEnd(order, a, b);
    this.#deltas.forEach((scan, i) => {
      const columns = this.#runs.deltas[i]!.order(order);
      const from = columns.seek(...begin);
      this.add(scan.reset(columns, from, end ? columns.seekNear(from, ...end) : columns.count));
    });
    if (this.#runs.log.count > 0) {
      this.#logSlice.pick(order, a, b, 0);
      this.add(this.#logSlice.scan(this.#logScan));
    }
    return this;
  }

  /** Adds another scan, which must have the same order. Call it before `next`. */
  add(scan: Scan): this {
    if (scan.next()) this.#place(scan, this.#active.length);
    return this;
  }

  next(): boolean {
    const active = this.#active;
    while (active.length > 1) if (this.#takeLeast() > 0) return true;
    const last = active[0];
    if (last === undefined) return false;
    return last === this.#base ? this.#nextOfBase(last) : this.#nextOf(last);
  }

  /**
   * Reads the next quads of a walk by graph, as many as there is room for, each as subject,
   * predicate, object and graph. Returns the number of words written.
   */
  readGraph(into: Uint32Array): number {
    let end = 0;
    while (end < into.length) {
      const last = this.#lastRun();
      if (last) {
        end = last.read(into, end);
        if (!last.next()) this.#active.length = 0;
        return end;
      }
      if (!this.next()) break;
      into[end++] = this.b;
      into[end++] = this.c;
      into[end++] = this.d;
      into[end++] = this.a;
    }
    return end;
  }

  /**
   * Returns the only remaining run of a walk by graph, in which each quad exists and occurs once.
   * That is not certain for the log.
   */
  #lastRun(): BaseGraphScan | ColumnScan | undefined {
    const [last] = this.#active;
    if (this.#active.length !== 1) return undefined;
    return last === this.#baseGraph ? this.#baseGraph : this.#deltas.find((delta) => delta === last);
  }

  /** Only the base run remains: each of its quads exists, and occurs once. */
  #nextOfBase(base: Scan): boolean {
    this.a = base.a;
    this.b = base.b;
    this.c = base.c;
    this.d = base.d;
    if (!base.next()) this.#active.length = 0;
    return true;
  }

  /**
   * Only one other run remains, in which a quad may occur several times: the log has all its
   * changes.
   */
  #nextOf(scan: Scan): boolean {
    for (let more = true; more; ) {
      this.a = scan.a;
      this.b = scan.b;
      this.c = scan.c;
      this.d = scan.d;
      let weight = 0;
      do {
        weight += scan.weight;
        more = scan.next();
      } while (more && this.#isAt(scan));
      if (!more) this.#active.length = 0;
      if (weight > 0) return true;
    }
    return false;
  }

  /** Compares the column first that differs most often. */
  #isAt(scan: Scan): boolean {
    return scan.d === this.d && scan.c === this.c && scan.b === this.b && scan.a === this.a;
  }

  /** Goes to the least quad, moves every source past it, and returns the sum of its weights. */
  #takeLeast(): number {
    const active = this.#active;
    let scan = active[active.length - 1]!;
    this.a = scan.a;
    this.b = scan.b;
    this.c = scan.c;
    this.d = scan.d;
    let weight = 0;
    do {
      weight += scan.weight;
      if (scan.next()) this.#place(scan, active.length - 1);
      else active.pop();
      if (active.length === 0) break;
      scan = active[active.length - 1]!;
    } while (this.#isAt(scan));
    return weight;
  }

  /**
   * Moves a source towards the front until the sources after it come first. Usually they do not,
   * and it stays in place.
   */
  #place(scan: Scan, from: number): void {
    const active = this.#active;
    let at = from;
    for (; at > 0 && isBefore(active[at - 1]!, scan); at--) active[at] = active[at - 1]!;
    active[at] = scan;
  }

  #baseSubjects(order: Order, subject: TermId, a: TermId, b: TermId): Scan {
    const { base } = this.#runs;
    if (order === BY_GRAPH) return this.#baseGraph.reset(a).skipTo(subject);
    const rows = base.order(order);
    if (order === BY_SUBJECT) return this.#baseOrder.reset(order, subject, rows.first(subject), base.quads);
    const end = rows.first(a + 1);
    const from = rows.seek(rows.first(a), end, b, subject);
    return this.#baseOrder.reset(order, a, from, rows.seek(from, end, b + 1, 0));
  }

  #baseSlice(order: 0 | 1, a: TermId, b: TermId, c: TermId): Scan {
    if (a === 0) return this.#baseOrder.reset(order, 0, 0, this.#runs.base.quads);
    const base = this.#runs.base.order(order);
    const first = base.first(a);
    const end = base.first(a + 1);
    if (b === 0) return this.#baseOrder.reset(order, a, first, end);
    const from = base.seek(first, end, b, c);
    const to = c === 0 ? base.seek(from, end, b + 1, 0) : base.seek(from, end, b, c + 1);
    return this.#baseOrder.reset(order, a, from, to);
  }
}

type Columns = readonly [a: TermId, b: TermId, c: TermId];

/** Returns the first columns of the walk of `startSubjects`. */
function subjectsBegin(order: Order, subject: TermId, a: TermId, b: TermId): Columns {
  if (order === BY_SUBJECT) return [subject, 0, 0];
  return order === BY_GRAPH ? [a, subject, 0] : [a, b, subject];
}

/** Returns the first columns that follow it; null if it goes to the end. */
function subjectsEnd(order: Order, a: TermId, b: TermId): Columns | null {
  if (order === BY_SUBJECT) return null;
  return order === BY_GRAPH ? [a + 1, 0, 0] : [a, b + 1, 0];
}

function isBefore(x: Scan, y: Scan): boolean {
  if (x.a !== y.a) return x.a < y.a;
  if (x.b !== y.b) return x.b < y.b;
  if (x.c !== y.c) return x.c < y.c;
  return x.d < y.d;
}
