import type { PathGraph, ReadAllowance } from '../../rdf/model/path-graph.ts';
import type { TermId } from '../../rdf/model/term-id.ts';
import type { Dictionary } from '../dictionary/dictionary.ts';
import { mix } from '../dictionary/hash.ts';
import { SYSTEM_GRAPH_ID } from '../graphs/system-graph.ts';
import { filterBits } from '../runs/delta-run.ts';
import type { MergedScan } from '../runs/merged-scan.ts';
import { BY_GRAPH, BY_OBJECT, BY_SUBJECT } from '../runs/order.ts';
import type { Runs } from '../runs/runs.ts';
import { sortTail } from '../runs/sort-tail.ts';

/** Number of subjects that are looked up together. */
const AT_ONCE = 64;
/**
 * The most rows of the base run for subjects that are looked up together; a subject with more rows
 * is looked up individually.
 */
const FEW_ROWS = 1024;

/** Data about the slices of several subjects during one call. The arrays are reused. */
const sliceStarts = new Uint32Array(AT_ONCE);
const sliceEnds = new Uint32Array(AT_ONCE);
const firstPredicates = new Uint32Array(AT_ONCE);
const lastPredicates = new Uint32Array(AT_ONCE);

/** Which graphs a view shows. */
export interface GraphFilter {
  has(graph: TermId): boolean;
}

/**
 * The graphs of a set, those that pass a filter, or without both of them all graphs. With both, the
 * filter says which others are hidden.
 */
interface Visible {
  readonly set?: ReadonlySet<TermId> | undefined;
  readonly filter?: GraphFilter | undefined;
  /** Has all graphs that pass the filter. */
  readonly whole?: SnapshotView | undefined;
}

/**
 * A snapshot as the union of all graphs, or of some graphs, but always without the system graph.
 *
 * Every lookup first checks whether the deltas or the log change anything for its subject or
 * object. They rarely do, and then the result is a slice of the base run; otherwise all runs are
 * merged.
 */
export class SnapshotView implements PathGraph {
  readonly terms: Dictionary;
  readonly #runs: Runs;
  readonly #set: ReadonlySet<TermId> | undefined;
  readonly #filter: GraphFilter | undefined;
  readonly #graphs: GraphFilter | undefined;
  readonly #whole: SnapshotView | undefined;
  readonly #changed: boolean;

  constructor(dictionary: Dictionary, runs: Runs, { set, filter, whole }: Visible = {}) {
    this.terms = dictionary;
    this.#runs = runs;
    this.#set = set;
    this.#filter = filter;
    this.#graphs = set ?? filter;
    this.#whole = whole;
    this.#changed = runs.deltas.length > 0 || runs.log.count > 0;
  }

  find(text: string): TermId {
    return this.terms.find(text);
  }

  shown(id: TermId): TermId {
    return this.#whole === undefined ? id : this.#whole.shown(id);
  }

  text(id: TermId): string {
    return this.terms.text(id);
  }

  within(graphNames: readonly TermId[]): SnapshotView {
    // Programs can name graphs (`@graph`), but no program may read the system graph.
    const graphs = graphNames.filter((graph) => graph !== SYSTEM_GRAPH_ID && this.sees(graph));
    // What is outside the graphs counts as hidden only if the whole view hides it.
    const whole = this.#filter && (this.#whole ?? this);
    return new SnapshotView(this.terms, this.#runs, { set: new Set(graphs), filter: this.#filter, whole });
  }

  objects(subject: TermId, predicate: TermId, into: TermId[]): void {
    if (!isId(subject) || !isId(predicate)) return;
    if (this.#changes(BY_SUBJECT, subject)) this.#mergedThird(BY_SUBJECT, subject, predicate, into);
    else this.#baseThird(BY_SUBJECT, subject, predicate, into);
  }

  objectsOfEach(list: TermId[], from: number, to: number, predicate: TermId): number {
    if (!isId(predicate)) return to;
    const next = this.#gatherSlices(list, from, to);
    if (next === from) {
      this.objects(list[from]!, predicate, list);
      return from + 1;
    }
    this.#pushObjects(next - from, predicate, list);
    return next;
  }

  subjects(predicate: TermId, object: TermId, into: TermId[]): void {
    if (!isId(object) || !isId(predicate)) return;
    if (this.#changes(BY_OBJECT, object)) this.#mergedThird(BY_OBJECT, object, predicate, into);
    else this.#baseThird(BY_OBJECT, object, predicate, into);
  }

  allObjects(subject: TermId, into: TermId[]): void {
    this.#allThird(BY_SUBJECT, subject, into);
  }

  allSubjects(object: TermId, into: TermId[]): void {
    this.#allThird(BY_OBJECT, object, into);
  }

  /**
   * Returns predicate and subject of the triples with the object, and with the predicate unless
   * that is 0, in a row and perhaps several times; undefined if that reads more than is allowed.
   */
  linksTo(object: TermId, predicate: TermId, allowance: ReadAllowance): TermId[] | undefined {
    return isId(object) ? this.#links(this.#runs.scan.start(BY_OBJECT, object, predicate), allowance) : [];
  }

  /** The same with predicate and object of the triples with the subject. */
  linksFrom(subject: TermId, predicate: TermId, allowance: ReadAllowance): TermId[] | undefined {
    return isId(subject) ? this.#links(this.#runs.scan.start(BY_SUBJECT, subject, predicate), allowance) : [];
  }

  /** Whether a triple has the subject. Stops at the first one. */
  isSubject(id: TermId): boolean {
    return isId(id) && (this.#beginsVisibly(id) || this.#anyVisible(this.#runs.scan.start(BY_SUBJECT, id)));
  }

  predicates(subject: TermId, into: TermId[]): void {
    if (!isId(subject)) return;
    if (this.#changes(BY_SUBJECT, subject)) this.#mergedPredicates(subject, into);
    else this.#basePredicates(subject, into);
  }

  has(subject: TermId, predicate: TermId, object: TermId): boolean {
    if (!isId(subject) || !isId(predicate) || !isId(object)) return false;
    if (this.#changes(BY_SUBJECT, subject)) {
      return this.#anyVisible(this.#runs.scan.start(BY_SUBJECT, subject, predicate, object));
    }
    const { bySubject } = this.#runs.base;
    const end = bySubject.first(subject + 1);
    const from = bySubject.seek(bySubject.first(subject), end, predicate, object);
    const { words, rows } = bySubject;
    for (let at = rows + 3 * from; at < rows + 3 * end; at += 3) {
      if (words[at] !== predicate || words[at + 1] !== object) return false;
      if (this.sees(words[at + 2]!)) return true;
    }
    return false;
  }

  /** Whether the subject has an object. Stops at the first one. */
  hasObject(subject: TermId, predicate: TermId): boolean {
    if (!isId(subject) || !isId(predicate)) return false;
    return this.#anyVisible(this.#runs.scan.start(BY_SUBJECT, subject, predicate));
  }

  mentions(id: TermId): boolean {
    if (!isId(id)) return false;
    return (
      this.#beginsVisibly(id) ||
      this.#anyVisible(this.#runs.scan.start(BY_SUBJECT, id)) ||
      this.#anyVisible(this.#runs.scan.start(BY_OBJECT, id)) ||
      this.isPredicate(id)
    );
  }

  /**
   * Whether the first quad of the subject exists and is visible, as it usually is; false if that
   * requires a closer look.
   */
  #beginsVisibly(id: TermId): boolean {
    const { bySubject } = this.#runs.base;
    const first = bySubject.first(id);
    if (first === bySubject.first(id + 1) || this.#changes(BY_SUBJECT, id)) return false;
    return this.sees(bySubject.words[bySubject.rows + 3 * first + 2]!);
  }

  /**
   * Whether a triple has the predicate. In a view with a filter nothing counts as a predicate:
   * there is no order of quads in which to look for a visible one.
   */
  isPredicate(id: TermId): boolean {
    if (this.#graphs === undefined) return predicateCount(this.#runs, id) > 0;
    for (const graph of this.#set ?? []) {
      if (!isId(graph)) continue;
      const merged = this.#runs.scan.start(BY_GRAPH, graph);
      while (merged.next()) if (merged.c === id) return true;
    }
    return false;
  }

  /** Whether the view shows the quads of that graph. */
  sees(graph: TermId): boolean {
    return this.#graphs === undefined ? graph !== SYSTEM_GRAPH_ID : this.#graphs.has(graph);
  }

  #changes(order: 0 | 1, id: TermId): boolean {
    if (!this.#changed) return false;
    const { deltas, log } = this.#runs;
    const hash = mix(id);
    const bits = filterBits(hash);
    for (let i = 0; i < deltas.length; i++) {
      if (deltas[i]!.mayChange(order, hash, bits)) return true;
    }
    return log.count > 0 && log.changes(order, id, hash);
  }

  #baseThird(order: 0 | 1, a: TermId, predicate: TermId, into: TermId[]): void {
    const base = this.#runs.base.order(order);
    const { words, rows } = base;
    const end = base.first(a + 1);
    const from = base.seek(base.first(a), end, predicate, 0);
    const last = rows + 3 * end;
    let third = 0;
    for (let at = rows + 3 * from; at < last && words[at] === predicate; at += 3) {
      const next = words[at + 1]!;
      if (next !== third && this.sees(words[at + 2]!)) {
        into.push(next);
        third = next;
      }
    }
  }

  /**
   * Records where the base run has the rows of subjects without changes: for the entries starting
   * at `from`, up to the first that must be looked up individually. Returns the index after the
   * last recorded entry.
   *
   * All offsets are read here before any row is, and the ends of all slices before any slice is
   * searched, so that the processor waits for memory once for all of them.
   */
  #gatherSlices(list: readonly TermId[], from: number, to: number): number {
    const { words, terms, bySubject } = this.#runs.base;
    const { offsets, rows } = bySubject;
    const most = Math.min(to, from + AT_ONCE);
    let next = from;
    for (let total = 0; next < most; next++) {
      const subject = list[next]!;
      if (!isId(subject) || subject > terms || this.#changes(BY_SUBJECT, subject)) break;
      const start = words[offsets + subject]!;
      const end = words[offsets + subject + 1]!;
      total += end - start;
      if (total > FEW_ROWS) break;
      sliceStarts[next - from] = rows + 3 * start;
      sliceEnds[next - from] = rows + 3 * end;
    }
    for (let i = 0; i < next - from; i++) {
      const start = sliceStarts[i]!;
      const end = sliceEnds[i]!;
      firstPredicates[i] = words[start]!;
      lastPredicates[i] = words[end > start ? end - 3 : start]!;
    }
    return next;
  }

  /** Appends the objects of the first `count` recorded slices. */
  #pushObjects(count: number, predicate: TermId, into: TermId[]): void {
    const { words } = this.#runs.base;
    for (let i = 0; i < count; i++) {
      const end = sliceEnds[i]!;
      let at = sliceStarts[i]!;
      if (at === end || firstPredicates[i]! > predicate || lastPredicates[i]! < predicate) continue;
      while (at < end && words[at]! < predicate) at += 3;
      for (let last = 0; at < end && words[at] === predicate; at += 3) {
        const object = words[at + 1]!;
        if (object !== last && this.sees(words[at + 2]!)) {
          into.push(object);
          last = object;
        }
      }
    }
  }

  #mergedThird(order: 0 | 1, a: TermId, predicate: TermId, into: TermId[]): void {
    const merged = this.#runs.scan.start(order, a, predicate);
    let last = 0;
    while (merged.next()) {
      if (merged.c !== last && this.sees(merged.d)) {
        into.push(merged.c);
        last = merged.c;
      }
    }
  }

  #allThird(order: 0 | 1, a: TermId, into: TermId[]): void {
    if (!isId(a)) return;
    const from = into.length;
    if (this.#changes(order, a)) {
      const merged = this.#runs.scan.start(order, a);
      while (merged.next()) if (this.sees(merged.d)) into.push(merged.c);
    } else {
      const base = this.#runs.base.order(order);
      const { words, rows } = base;
      const last = rows + 3 * base.first(a + 1);
      for (let at = rows + 3 * base.first(a); at < last; at += 3) {
        if (this.sees(words[at + 2]!)) into.push(words[at + 1]!);
      }
    }
    sortTail(into, from);
  }

  #basePredicates(subject: TermId, into: TermId[]): void {
    const { bySubject } = this.#runs.base;
    const { words, rows } = bySubject;
    const end = rows + 3 * bySubject.first(subject + 1);
    let last = 0;
    for (let at = rows + 3 * bySubject.first(subject); at < end; at += 3) {
      const predicate = words[at]!;
      if (predicate !== last && this.sees(words[at + 2]!)) {
        into.push(predicate);
        last = predicate;
      }
    }
  }

  #mergedPredicates(subject: TermId, into: TermId[]): void {
    const merged = this.#runs.scan.start(BY_SUBJECT, subject);
    let last = 0;
    while (merged.next()) {
      if (merged.b !== last && this.sees(merged.d)) {
        into.push(merged.b);
        last = merged.b;
      }
    }
  }

  #links(merged: MergedScan, allowance: ReadAllowance): TermId[] | undefined {
    const found: TermId[] = [];
    while (merged.next()) {
      // What is hidden does not count, or the result would tell how much of it there is.
      if (this.#filter && !this.#filter.has(merged.d)) continue;
      if (--allowance.quads < 0) return undefined;
      if (this.sees(merged.d)) found.push(merged.b, merged.c);
    }
    return found;
  }

  #anyVisible(merged: MergedScan): boolean {
    while (merged.next()) if (this.sees(merged.d)) return true;
    return false;
  }
}

/** Ids that are 0 or negative are not ids of stored terms (see `PathGraph`). */
function isId(id: TermId): boolean {
  return id > 0;
}

/** Returns the number of quads outside the system graph with the predicate. */
export function predicateCount(runs: Runs, predicate: TermId): number {
  let count = runs.base.predicateCount(predicate);
  for (const delta of runs.deltas) count += delta.predicateCount(predicate);
  return count + runs.log.predicateCount(predicate);
}
