import type { TermId } from '../../rdf/model/term-id.ts';
import { isTripleTermAt } from '../../rdf/model/triple-term.ts';
import type { SnapshotDescriptor } from '../../snapshot/descriptor.ts';
import { SYSTEM_GRAPH_ID } from '../../snapshot/graphs/system-graph.ts';
import { openSnapshot, type SnapshotReader } from '../../snapshot/read/reader.ts';
import { MergedScan } from '../../snapshot/runs/merged-scan.ts';
import { BY_GRAPH, BY_OBJECT, BY_SUBJECT, type Order } from '../../snapshot/runs/order.ts';
import { Runs } from '../../snapshot/runs/runs.ts';
import { isReadable } from '../patch/quad-scanner.ts';

/** The most examples of one kind of damage in a message. */
const MOST_TOLD = 3;

const UNDERSCORE = 0x5f;
const LESS = 0x3c;
const QUOTE = 0x22;

/** For each order, the columns of a scan that contain subject, predicate, object and graph. */
const columns = {
  [BY_SUBJECT]: { name: 'subject', places: [0, 1, 2, 3] },
  [BY_OBJECT]: { name: 'object', places: [2, 1, 0, 3] },
  [BY_GRAPH]: { name: 'graph', places: [1, 2, 3, 0] },
} as const;

/**
 * Checks how a snapshot stores its terms and quads: each term is in canonical form and occurs once,
 * all orders contain the same quads, sorted and without duplicates, and the counts are right. Takes
 * some seconds for a million quads.
 */
export function structureDamages(descriptor: SnapshotDescriptor): string[] {
  const reader = openSnapshot(descriptor);
  const runs = new Runs(descriptor);
  return [
    ...termDamages(reader),
    ...new OrderCheck(reader, runs).damages(BY_SUBJECT, [0]),
    ...new OrderCheck(reader, runs).damages(BY_OBJECT, [0]),
    ...new OrderCheck(reader, runs).damages(BY_GRAPH, reader.graphs()),
    ...positionDamages(runs, reader.graphs()),
    ...predicateDamages(runs),
  ];
}

function termDamages({ terms }: SnapshotReader): string[] {
  const { bytes, termCount } = terms;
  const wrong: TermId[] = [];
  for (let id = 1; id <= termCount; id++) {
    const from = terms.start(id);
    const to = terms.end(id);
    if (!isReadable(bytes, from, to) || terms.findBytes(bytes, from, to) !== id) wrong.push(id);
  }
  const told = wrong.slice(0, MOST_TOLD).map((id) => JSON.stringify(terms.text(id).slice(0, 200)));
  return wrong.length === 0 ? [] : [`${wrong.length} terms are damaged or duplicated: ${told.join(', ')}`];
}

/** Checks the quads in one order. */
class OrderCheck {
  readonly #reader: SnapshotReader;
  readonly #runs: Runs;
  #quads = 0;
  #disordered = 0;
  #unknown = 0;
  #impossible = 0;

  constructor(reader: SnapshotReader, runs: Runs) {
    this.#reader = reader;
    this.#runs = runs;
  }

  /** `starts`: the values of the first column to scan, one after another; 0 for all. */
  damages(order: Order, starts: readonly TermId[]): string[] {
    const scan = new MergedScan(this.#runs);
    for (const start of starts) this.#walk(scan.start(order, start), columns[order].places);
    const { name } = columns[order];
    const { quadCount } = this.#reader;
    return [
      ...(this.#quads === quadCount
        ? []
        : [`there are ${this.#quads} quads by ${name}, and ${quadCount} in all`]),
      ...(this.#disordered === 0 ? [] : [`${this.#disordered} quads by ${name} are out of order`]),
      ...(this.#unknown === 0 ? [] : [`${this.#unknown} quads by ${name} are missing by subject`]),
      ...(this.#impossible === 0
        ? []
        : [`${this.#impossible} quads by ${name} have terms of the wrong kind`]),
    ];
  }

  #walk(scan: MergedScan, [s, p, o, g]: readonly [number, number, number, number]): void {
    const before = new Uint32Array(4);
    const quad = new Uint32Array(4);
    for (; scan.next(); this.#quads++) {
      quad[0] = scan.a;
      quad[1] = scan.b;
      quad[2] = scan.c;
      quad[3] = scan.d;
      if (!isAfter(quad, before)) this.#disordered++;
      this.#look(quad[s]!, quad[p]!, quad[o]!, quad[g]!);
      before.set(quad);
    }
  }

  #look(s: TermId, p: TermId, o: TermId, g: TermId): void {
    if (!this.#reader.hasQuad(s, p, o, g)) this.#unknown++;
    const graph = this.#first(g);
    // Earlier releases accepted graphs named by blank nodes.
    const isGraph = graph === LESS || graph === UNDERSCORE;
    const isPossible = this.#first(p) === LESS && isGraph && this.#first(s) !== QUOTE;
    const hasTriple = this.#isTriple(s) || this.#isTriple(p) || this.#isTriple(g);
    if (!isPossible || hasTriple || this.#first(o) === undefined) this.#impossible++;
  }

  #isTriple(id: TermId): boolean {
    const { terms } = this.#reader;
    return isTripleTermAt(terms.bytes, terms.start(id));
  }

  /** The first byte of a term; undefined if no term has that id. */
  #first(id: TermId): number | undefined {
    const { terms } = this.#reader;
    return id >= 1 && id <= terms.termCount ? terms.bytes[terms.start(id)] : undefined;
  }
}

function isAfter(quad: Uint32Array, before: Uint32Array): boolean {
  for (let i = 0; i < 4; i++) if (quad[i] !== before[i]) return quad[i]! > before[i]!;
  return false;
}

/**
 * Checks that a base run lists quads of a graph by rows of that very graph: a row of another graph
 * with the same triple would be read without notice.
 */
function positionDamages({ base }: Runs, graphs: readonly TermId[]): string[] {
  const { words, positions, bySubject } = base;
  let wrong = 0;
  for (const graph of graphs) {
    const end = base.firstOfGraph(graph + 1);
    for (let at = base.firstOfGraph(graph); at < end; at++) {
      if (words[bySubject.rows + 3 * words[positions + at]! + 2] !== graph) wrong++;
    }
  }
  return wrong === 0 ? [] : [`${wrong} quads by graph refer to rows of other graphs`];
}

function predicateDamages(runs: Runs): string[] {
  const counts = new Map<TermId, number>();
  const scan = new MergedScan(runs).start(BY_SUBJECT, 0);
  while (scan.next()) {
    if (scan.d !== SYSTEM_GRAPH_ID) counts.set(scan.b, (counts.get(scan.b) ?? 0) + 1);
  }
  const { base, deltas, log } = runs;
  const wrong = [...counts].filter(([id, count]) => {
    const changed = [...deltas, log].reduce((sum, run) => sum + run.predicateCount(id), 0);
    return base.predicateCount(id) + changed !== count;
  });
  return wrong.length === 0 ? [] : [`${wrong.length} predicates have a wrong count`];
}
