/**
 * The record: an Oxigraph store (WASM, in memory, this thread's own). Every quad of ours has a named graph.
 * Measured choices: `lenient` skips a second validation of IRIs that our parsers have validated, and loads half
 * as fast again; deleting by plain RDF/JS objects costs 8 µs a quad and leaves no WASM object to free, reloading
 * a quad 2 µs.
 */
import { Store } from 'oxigraph';
import type { TermBytes } from '../graph/path-graph.ts';
import type { QuadCursor } from '../graph/quad-cursor.ts';
import { parseTerm } from '../graph/term.ts';
import type { TermId } from '../graph/term-id.ts';
import { ByteChunks } from './byte-chunks.ts';

const N_QUADS = 'application/n-quads';

/** A delete costs about as much as loading this many quads. */
const DELETE_COST = 4;

/** Loaded at a time: what Oxigraph holds twice for a moment stays small. */
const QUADS_A_LOAD = 1 << 18;

export class OxigraphRecord {
  readonly #store = new Store();

  get size(): number {
    return this.#store.size;
  }

  /** N-Quads of canonical terms, in pieces that may end anywhere. */
  load(chunks: Iterable<Uint8Array>): void {
    this.#store.load(chunks, { format: N_QUADS, lenient: true });
  }

  /** `quads`: four term ids a quad. */
  add(quads: Uint32Array, terms: TermBytes): void {
    for (let from = 0; from < quads.length; from += 4 * QUADS_A_LOAD) {
      this.load(encodeQuads(quads.subarray(from, from + 4 * QUADS_A_LOAD), terms));
    }
  }

  /** `quads`: four term ids a quad. */
  remove(quads: Uint32Array, terms: TermBytes): void {
    for (let i = 0; i < quads.length; i += 4) {
      const [subject, predicate, object, graph] = Array.from(quads.subarray(i, i + 4), (id) =>
        toRdfJs(termText(terms, id)),
      );
      this.#store.delete({ termType: 'Quad', value: '', subject, predicate, object, graph } as never);
    }
  }

  /**
   * Brings one graph to what `content` holds, where that is cheaper than `removals` single deletes; returns
   * false, having done nothing, where it is not.
   */
  reload(graph: string, removals: number, size: number, content: () => QuadCursor): boolean {
    if (removals * DELETE_COST <= size) return false;
    this.#store.update(`CLEAR SILENT GRAPH <${graph}>`);
    loadCursor(this, content());
    return true;
  }

  /** N-Quads, one quad a line, in no order. */
  dump(): string {
    return this.#store.dump({ format: N_QUADS });
  }

  close(): void {
    this.#store.free();
  }
}

function loadCursor(record: OxigraphRecord, cursor: QuadCursor): void {
  const batch = new Uint32Array(4 * QUADS_A_LOAD);
  let length = 0;
  while (cursor.next()) {
    batch.set([cursor.subject, cursor.predicate, cursor.object, cursor.graph], length);
    length += 4;
    if (length === batch.length) {
      record.add(batch, cursor.terms);
      length = 0;
    }
  }
  record.add(batch.subarray(0, length), cursor.terms);
}

function encodeQuads(quads: Uint32Array, terms: TermBytes): Uint8Array[] {
  const out = new ByteChunks(Math.min(quads.length * 40, 1 << 20));
  for (let i = 0; i < quads.length; i++) {
    const id = quads[i] as TermId;
    out.copy(terms.bytes, terms.start(id), terms.end(id));
    out.byte(0x20);
    if (i % 4 === 3) {
      out.byte(0x2e);
      out.byte(0x0a);
    }
  }
  return out.finish();
}

function termText(terms: TermBytes, id: TermId): string {
  return Buffer.from(terms.bytes.subarray(terms.start(id), terms.end(id))).toString();
}

/** A plain object in the shape of RDF/JS, which Oxigraph reads like one of its own. */
function toRdfJs(text: string) {
  const term = parseTerm(text);
  if (term.kind === 'iri') return { termType: 'NamedNode', value: term.value };
  if (term.kind === 'blank') return { termType: 'BlankNode', value: term.value };
  const datatype = { termType: 'NamedNode', value: term.datatype };
  return { termType: 'Literal', value: term.value, language: term.language, datatype };
}
