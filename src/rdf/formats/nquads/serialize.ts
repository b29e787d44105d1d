import { copyWide, viewOf } from '../../../base/bytes/wide-copy.ts';
import type { TermBytes } from '../../model/path-graph.ts';
import type { QuadCursor } from '../../model/quad-cursor.ts';
import { QUAD_WORDS, QuadRows } from '../../model/quad-rows.ts';
import { NO_TERM, type TermId } from '../../model/term-id.ts';
import { ascii, ChunkWriter, type SpareMemory } from '../chunk-writer.ts';
import type { GraphNaming } from '../graph-naming.ts';

const SPACE = 0x20;
/** The end of a row, and a byte that the next one overwrites. */
const ROW_END = 0x0a2e20;
const ROW_END_BYTES = 3;
/** Bytes of a row besides terms: a space after each of three, its end, and the byte after that. */
const MARKS = 7;

/**
 * The memory in which rows are assembled. It is the same for all documents, so that V8 knows its
 * address and length at compile time: this saves a fifth of the time for a row, even though
 * finished rows are copied once more. Nothing is left in it between calls.
 */
const stage = new DataView(new ArrayBuffer(64 * 1024));
const stageBytes = new Uint8Array(stage.buffer);
const STAGE_BYTES = stageBytes.length;

/** Writes N-Triples or N-Quads, mostly by copying terms. */
export function* serializeNQuads(
  cursor: QuadCursor,
  naming: GraphNaming,
  spare?: SpareMemory,
): Generator<Uint8Array> {
  const writer = new ChunkWriter(spare);
  const quads = new QuadRows(cursor);
  while (quads.more()) {
    writer.reserve(1);
    const length = stageRows(quads, naming, writer.enough - writer.length);
    if (length > 0) writer.putMany(stageBytes.subarray(0, length));
    else writeLongRow(quads, naming, writer);
    if (writer.full) yield writer.take();
  }
  if (writer.length > 0) yield writer.take();
}

/**
 * Assembles rows of the available quads, until they have `wanted` bytes or the next one has no
 * room. Returns their bytes. The beginning that a row shares with the previous one is copied from
 * there at once.
 *
 * Everything is done here, in local variables and without calls that V8 would not inline, and not
 * in the generator: V8 compiles this to faster code, and sooner.
 */
function stageRows(quads: QuadRows, { graphs, graphName }: GraphNaming, wanted: number): number {
  const { terms, words, end } = quads;
  const { ends } = terms;
  const source = viewOf(terms.bytes);
  const name = viewOf(ascii(graphs && graphName !== undefined ? ` <${graphName}>` : ''));
  const nameLength = name.byteLength;
  const namesOwnGraph = graphs && graphName === undefined;
  let next = quads.at;
  let at = 0;
  let subject = NO_TERM;
  let predicate = NO_TERM;
  // The start of the last row, and the bytes of its subject and predicate with the spaces after
  // them.
  let rowAt = 0;
  let prefix = 0;
  for (; next < end && at < wanted; next += QUAD_WORDS) {
    const start = at;
    const object = words[next + 2]!;
    const objectFrom = ends[object - 1]!;
    const objectTo = ends[object]!;
    const graph = namesOwnGraph ? words[next + 3]! : NO_TERM;
    let rest = objectTo - objectFrom + nameLength + MARKS;
    if (graph !== NO_TERM) rest += ends[graph]! - ends[graph - 1]!;
    if (words[next] === subject && words[next + 1] === predicate) {
      if (at + prefix + rest > STAGE_BYTES) break;
      copyWide(stage, rowAt, rowAt + prefix, stage, at);
      at += prefix;
    } else {
      subject = words[next]!;
      predicate = words[next + 1]!;
      const subjectFrom = ends[subject - 1]!;
      const subjectTo = ends[subject]!;
      const predicateFrom = ends[predicate - 1]!;
      const predicateTo = ends[predicate]!;
      if (at + subjectTo - subjectFrom + predicateTo - predicateFrom + rest > STAGE_BYTES) break;
      copyWide(source, subjectFrom, subjectTo, stage, at);
      at += subjectTo - subjectFrom;
      stage.setUint8(at++, SPACE);
      copyWide(source, predicateFrom, predicateTo, stage, at);
      at += predicateTo - predicateFrom;
      stage.setUint8(at++, SPACE);
      prefix = at - start;
    }
    rowAt = start;
    copyWide(source, objectFrom, objectTo, stage, at);
    at += objectTo - objectFrom;
    if (graph !== NO_TERM) {
      const graphFrom = ends[graph - 1]!;
      const graphTo = ends[graph]!;
      stage.setUint8(at++, SPACE);
      copyWide(source, graphFrom, graphTo, stage, at);
      at += graphTo - graphFrom;
    } else if (nameLength > 0) {
      copyWide(name, 0, nameLength, stage, at);
      at += nameLength;
    }
    stage.setUint32(at, ROW_END, true);
    at += ROW_END_BYTES;
  }
  quads.at = next;
  return at;
}

/** Writes a row for which the stage is too small. */
function writeLongRow(quads: QuadRows, { graphs, graphName }: GraphNaming, writer: ChunkWriter): void {
  const { terms, words, at } = quads;
  for (let i = 0; i < QUAD_WORDS - 1; i++) {
    if (i > 0) writer.byte(SPACE);
    writeTerm(terms, words[at + i]!, writer);
  }
  const graph = words[at + QUAD_WORDS - 1]!;
  if (graphs && graphName !== undefined) writer.text(` <${graphName}>`);
  else if (graphs && graph !== NO_TERM) {
    writer.byte(SPACE);
    writeTerm(terms, graph, writer);
  }
  writer.text(' .\n');
  quads.at = at + QUAD_WORDS;
}

function writeTerm(terms: TermBytes, id: TermId, writer: ChunkWriter): void {
  writer.copy(terms.bytes, terms.start(id), terms.end(id));
}
