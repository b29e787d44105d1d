/**
 * The record: an Oxigraph store (WASM, in memory, this thread's own). Every quad of ours has a named graph; blank nodes
 * stand there as IRIs, see skolem.ts.
 *
 * Measured choices: `lenient` skips a second validation of IRIs that our parsers have validated, and loads half
 * as fast again; deleting by plain RDF/JS objects costs 8 µs a quad and leaves no WASM object to free, loading
 * a quad 2 µs, clearing a graph of 180,000 quads 11 ms.
 */
import type { TermBytes } from '../graph/path-graph.ts';
import type { QuadCursor } from '../graph/quad-cursor.ts';
import { parseTerm } from '../graph/term.ts';
import type { TermId } from '../graph/term-id.ts';
import type { Changes } from '../snapshot/changes.ts';
import { freshOxigraph, isTrap, type OxigraphInstance, sharedOxigraph } from './oxigraph-instance.ts';
import { skolemLines, skolemText, skolemTrig, unskolemised } from './skolem.ts';

const N_QUADS = 'application/n-quads';
const TRIG = 'application/trig';

/** A delete costs as much as loading this many quads. */
const DELETE_COST = 4;
/** Fewer removals than this are deleted one by one in any case. */
const FEW_REMOVALS = 64;
/** Encoded at a time, so that the text of a big change is never held whole. */
const QUADS_A_LOAD = 1 << 17;

/**
 * Bytes of WebAssembly memory that a quad takes beside its text. Measured: 250 to 450, and in steps, since hash tables
 * double: the heap of 1.9 million quads grew by half at once. Who sets a limit must leave room for such a step.
 */
const QUAD_BYTES = 450;
/** What a quad takes in fresh memory, text included, where it is little. Measured: 297. */
const RESERVED_QUAD_BYTES = 300;
/** For fewer quads than this it is left to Oxigraph how its memory grows. */
const RESERVE_FROM = 1 << 14;
const MAX_RESERVED = 2 ** 30;
/** Share of its memory by which it grows at least. */
const GROWTH = 1 / 32;
/** Memory is got back when at least this share of it is held by quads that are gone. */
const WASTE_WORTH_RELOADING = 0.35;

/** The state that the record is to reach, where it is cheaper loaded anew than changed. */
export interface TargetState {
  readonly terms: TermBytes;
  graphSize(graph: TermId): number;
  graphCursor(graph: TermId): QuadCursor;
  allQuads(): QuadCursor;
  readonly quadCount: number;
}

/**
 * Bytes of the record's memory that so many added quads take at most, tables that double not
 * counted. `textBytes`: what they take in a patch.
 */
export function recordBytes(quads: number, textBytes: number): number {
  return QUAD_BYTES * quads + textBytes;
}

export class OxigraphRecord {
  readonly #limit: number;
  #oxigraph: OxigraphInstance;
  #store: InstanceType<OxigraphInstance['Store']>;
  /** Bytes of heap that an empty store takes. */
  #emptyBytes: number;
  /** Bytes of heap a quad when nothing is wasted; measured at each reload. */
  #quadBytes = QUAD_BYTES;
  /** Bytes of heap when it was last made to grow. */
  #grownTo = 0;

  /** `limit`: bytes of WebAssembly memory. It is the caller who keeps to it, see `room`. */
  constructor(limit = Number.POSITIVE_INFINITY) {
    this.#limit = limit;
    this.#oxigraph = sharedOxigraph();
    this.#store = new this.#oxigraph.Store();
    this.#emptyBytes = this.#oxigraph.heapBytes();
  }

  /** Oxigraph counts its quads one by one. */
  get size(): number {
    return this.#store.size;
  }

  /** Prepares for loading so many quads. */
  reserve(quads: number): void {
    const bytes = Math.min(RESERVED_QUAD_BYTES * quads, this.room, MAX_RESERVED);
    if (quads >= RESERVE_FROM && bytes > 0) this.#oxigraph.reserve(bytes);
  }

  /** Bytes that are left below the limit. */
  get room(): number {
    return this.#limit - this.#oxigraph.heapBytes();
  }

  /**
   * Whether loading `quads` quads into fresh memory would free much of it: Oxigraph keeps the terms of
   * removed quads, in case they come again. The caller gives the number of quads, because Oxigraph
   * would count them one by one.
   */
  isWasteful(quads: number): boolean {
    const heap = this.#oxigraph.heapBytes();
    const waste = heap - this.#emptyBytes - this.#quadBytes * quads;
    return heap > this.#limit / 2 && waste > heap * WASTE_WORTH_RELOADING;
  }

  /** Loads a state into fresh memory. Seconds for a million quads. */
  reload(target: TargetState): void {
    this.#oxigraph = freshOxigraph();
    this.#grownTo = 0;
    this.#store = new this.#oxigraph.Store();
    this.#emptyBytes = this.#oxigraph.heapBytes();
    this.#loadAll(target.allQuads(), target.terms);
    this.#quadBytes = Math.max(QUAD_BYTES, this.#oxigraph.heapBytes() / Math.max(1, target.quadCount));
  }

  /** Whether the record has exactly the quads of a cursor. */
  equals(cursor: QuadCursor, terms: TermBytes): boolean {
    let count = 0;
    const refused: TermId[] = [];
    while (cursor.next()) {
      const { subject, predicate, object, graph } = cursor;
      const ids = [subject, predicate, object, graph];
      const isThere = this.#has(ids, terms);
      if (isThere === undefined) refused.push(...ids);
      else if (!isThere) return false;
      count++;
    }
    if (count !== this.size) return false;
    this.#add(Uint32Array.from(refused), terms);
    // Quads that were there are not added a second time.
    return count === this.size;
  }

  /** Undefined for a quad that Oxigraph refuses to look for, see `#remove`. */
  #has(ids: readonly TermId[], terms: TermBytes): boolean | undefined {
    try {
      return this.#store.has(toQuad(ids, terms));
    } catch (error) {
      if (isTrap(error)) throw error;
      return undefined;
    }
  }

  /** Whole lines of canonical N-Quads. A mebibyte at a time takes a third less time than all in one. */
  loadLines(lines: Uint8Array): void {
    this.#load(skolemLines(lines), N_QUADS);
  }

  /**
   * Takes in one operation's effect. `target` may be ahead of it by later operations, whose effects follow: taking
   * them in twice does no harm.
   */
  change(changes: Changes, target: TargetState): void {
    try {
      this.#change(changes, target);
    } catch (error) {
      if (isTrap(error)) throw error;
      // Oxigraph refuses the graph's name, see `#remove`.
      this.reload(target);
    }
    this.#growAmply();
  }

  /** N-Quads, one quad a line, in no order. */
  dump(): string {
    return unskolemised(this.#store.dump({ format: N_QUADS }));
  }

  #change({ additions, removals }: Changes, target: TargetState): void {
    const reloaded = new Set<TermId>();
    for (const [graph, count] of countByGraph(removals)) {
      if (count < FEW_REMOVALS || count * DELETE_COST < target.graphSize(graph)) continue;
      reloaded.add(graph);
      this.#reload(graph, target);
    }
    for (const graph of this.#remove(outside(removals, reloaded), target.terms)) {
      reloaded.add(graph);
      this.#reload(graph, target);
    }
    this.#add(outside(additions, reloaded), target.terms);
  }

  /** Many small changes would have it grow by a little many times, which is dear: see `reserve` of the instance. */
  #growAmply(): void {
    const bytes = this.#oxigraph.heapBytes();
    if (bytes <= this.#grownTo) return;
    const more = Math.floor(Math.min(GROWTH * bytes, this.room));
    if (more > 0) this.#oxigraph.reserve(more);
    this.#grownTo = this.#oxigraph.heapBytes();
  }

  #load(text: Iterable<Uint8Array>, format: string): void {
    this.#store.load(text, { format, lenient: true });
  }

  #reload(graph: TermId, target: TargetState): void {
    this.#store.update(`CLEAR SILENT GRAPH ${skolemText(target.terms, graph)}`);
    this.#loadAll(target.graphCursor(graph), target.terms);
  }

  #loadAll(cursor: QuadCursor, terms: TermBytes): void {
    const batch = new Uint32Array(4 * QUADS_A_LOAD);
    let length = 0;
    while (cursor.next()) {
      batch.set([cursor.subject, cursor.predicate, cursor.object, cursor.graph], length);
      length += 4;
      if (length < batch.length) continue;
      this.#add(batch, terms);
      length = 0;
    }
    this.#add(batch.subarray(0, length), terms);
  }

  #add(quads: Uint32Array, terms: TermBytes): void {
    if (quads.length === 0) return;
    this.reserve(quads.length / 4);
    this.#load(encodeQuads(quads, terms), TRIG);
  }

  /**
   * Returns the graphs of the quads that Oxigraph refused to remove. It loads terms without
   * validation, but to find or remove a quad it requires valid IRIs (RFC 3987) and language tags
   * (BCP 47).
   */
  #remove(quads: Uint32Array, terms: TermBytes): Set<TermId> {
    const refused = new Set<TermId>();
    for (let i = 0; i < quads.length; i += 4) {
      try {
        this.#store.delete(toQuad(quads.subarray(i, i + 4), terms));
      } catch (error) {
        if (isTrap(error)) throw error;
        refused.add(quads[i + 3]!);
      }
    }
    return refused;
  }
}

function* encodeQuads(quads: Uint32Array, terms: TermBytes): Generator<Uint8Array> {
  for (let from = 0; from < quads.length; from += 4 * QUADS_A_LOAD) {
    yield* skolemTrig(quads.subarray(from, from + 4 * QUADS_A_LOAD), terms);
  }
}

function countByGraph(quads: Uint32Array): Map<TermId, number> {
  const counts = new Map<TermId, number>();
  for (let i = 3; i < quads.length; i += 4) counts.set(quads[i]!, (counts.get(quads[i]!) ?? 0) + 1);
  return counts;
}

/** The quads whose graph is none of these. */
function outside(quads: Uint32Array, graphs: ReadonlySet<TermId>): Uint32Array {
  if (graphs.size === 0) return quads;
  const rows = new Uint32Array(quads.length);
  let length = 0;
  for (let i = 0; i < quads.length; i += 4) {
    if (graphs.has(quads[i + 3]!)) continue;
    rows.set(quads.subarray(i, i + 4), length);
    length += 4;
  }
  return rows.subarray(0, length);
}

/** A plain object in the shape of RDF/JS, which Oxigraph reads like one of its own. */
function toQuad(ids: ArrayLike<TermId>, terms: TermBytes): never {
  const term = (column: number) => toRdfJs(skolemText(terms, ids[column]!));
  const quad = { subject: term(0), predicate: term(1), object: term(2), graph: term(3) };
  return { termType: 'Quad', value: '', ...quad } as never;
}

function toRdfJs(text: string) {
  const term = parseTerm(text);
  if (term.kind !== 'literal') return { termType: 'NamedNode', value: term.value };
  const datatype = { termType: 'NamedNode', value: term.datatype };
  return { termType: 'Literal', value: term.value, language: term.language, datatype };
}
