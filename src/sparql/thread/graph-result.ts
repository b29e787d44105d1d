import { parseNQuads } from '../../rdf/formats/nquads/parse.ts';
import { commonTable, PrefixTable } from '../../rdf/formats/prefix-table.ts';
import { serializeRdf } from '../../rdf/formats/serialize-quads.ts';
import type { QuadCursor } from '../../rdf/model/quad-cursor.ts';
import { RowQuads } from '../../rdf/model/row-quads.ts';
import { NO_TERM } from '../../rdf/model/term-id.ts';
import { isTripleTermAt } from '../../rdf/model/triple-term.ts';
import type { DocumentPrefixes } from '../request.ts';
import { tooLarge } from '../results/bounded-text.ts';

export interface GraphResultOptions {
  readonly mediaType: string;
  readonly prefixes: DocumentPrefixes | undefined;
  readonly spell: (term: string) => string;
  readonly maxBytes: number;
}

/**
 * Writes triples that Oxigraph wrote as N-Triples in another format, without duplicates. Error
 * `too-large`.
 */
export function writeGraph(triples: string, options: GraphResultOptions): Uint8Array {
  const { mediaType, prefixes, spell, maxBytes } = options;
  const shared = prefixes ? tableOf(prefixes) : commonTable;
  const quads = new ConstructedTriples(triples, spell);
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for (const chunk of serializeRdf(quads.cursor(), { mediaType, shared })) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

let lastTable: { readonly key: string; readonly table: PrefixTable } | undefined;

function tableOf({ key, pairs }: DocumentPrefixes): PrefixTable {
  if (lastTable?.key !== key) lastTable = { key, table: new PrefixTable(pairs, commonTable) };
  return lastTable.table;
}

const ROW_WORDS = 4;
const QUOTE = 0x22;

/** Triples ordered by the first occurrence of their subjects, and then of their predicates. */
class ConstructedTriples {
  readonly #bytes: Uint8Array;
  readonly #ends: Uint32Array;
  readonly #rows: Uint32Array;

  constructor(triples: string, spell: (term: string) => string) {
    const document = Buffer.from(triples);
    const block = parseNQuads(document, { freshBlankNodes: false, graphs: false, storedTerms: true });
    const terms = new SpelledTerms(block.termBytes, block.termOffsets, spell);
    this.#bytes = terms.bytes;
    this.#ends = terms.ends;
    this.#rows = sortedTriples(block.quads, terms.ids);
  }

  cursor(): QuadCursor {
    const [bytes, ends] = [this.#bytes, this.#ends];
    const terms = { bytes, ends, start: (id: number) => ends[id - 1]!, end: (id: number) => ends[id]! };
    return new RowQuads(terms, this.#rows);
  }
}

/** The terms of a block in the spelling of the data. Their ids start at 1. */
class SpelledTerms {
  bytes: Uint8Array;
  ends: Uint32Array;
  /** The id of each term of the block. Two terms with the same spelling share one. */
  readonly ids: Uint32Array;

  constructor(bytes: Uint8Array, offsets: Uint32Array, spell: (term: string) => string) {
    const count = offsets.length - 1;
    this.ids = Uint32Array.from({ length: count }, (_, i) => i + 1);
    this.bytes = bytes;
    this.ends = offsets;
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const text = (i: number) => buffer.toString('utf8', offsets[i]!, offsets[i + 1]!);
    const isString = (i: number) => bytes[offsets[i + 1]! - 1] === QUOTE;
    const isSpelled = (i: number) =>
      (bytes[offsets[i]!] === QUOTE && !isString(i)) || isTripleTermAt(bytes, offsets[i]!);
    let isChanged = false;
    const spelled = (i: number) => {
      if (!isSpelled(i)) return undefined;
      const given = text(i);
      const written = spell(given);
      if (given !== written) isChanged = true;
      return written;
    };
    const written = Array.from({ length: count }, (_, i) => spelled(i));
    if (isChanged) this.#rewrite(written.map((each, i) => each ?? text(i)));
  }

  #rewrite(texts: readonly string[]): void {
    const known = new Map<string, number>();
    texts.forEach((text, i) => {
      const id = known.get(text);
      if (id === undefined) known.set(text, i + 1);
      else this.ids[i] = id;
    });
    const parts = texts.map((text) => Buffer.from(text));
    this.bytes = Buffer.concat(parts);
    this.ends = new Uint32Array(parts.length + 1);
    parts.forEach((part, i) => {
      this.ends[i + 1] = this.ends[i]! + part.length;
    });
  }
}

/** Returns rows of quads without a graph, without duplicates. */
function sortedTriples(quads: Uint32Array, ids: Uint32Array): Uint32Array {
  const count = quads.length / 4;
  const id = (row: number, column: number) => ids[quads[4 * row + column]!]!;
  const order = Uint32Array.from({ length: count }, (_, row) => row).sort(
    (x, y) => id(x, 0) - id(y, 0) || id(x, 1) - id(y, 1) || id(x, 2) - id(y, 2),
  );
  const rows = new Uint32Array(ROW_WORDS * count);
  let end = 0;
  for (const row of order) {
    const [s, p, o] = [id(row, 0), id(row, 1), id(row, 2)];
    if (end > 0 && rows[end - 4] === s && rows[end - 3] === p && rows[end - 2] === o) continue;
    rows.set([s, p, o, NO_TERM], end);
    end += ROW_WORDS;
  }
  return rows.subarray(0, end);
}
