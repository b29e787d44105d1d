import type { QuadCursor } from '../graph/quad-cursor.ts';
import { QUAD_WORDS, QuadRows } from '../graph/quad-rows.ts';
import { NO_TERM } from '../graph/term-id.ts';
import { copyWide, viewOf } from '../graph/wide-copy.ts';
import { ascii, ByteWriter, type SpareMemory } from './byte-writer.ts';
import type { GraphNaming } from './graph-naming.ts';

const SPACE = 0x20;
const DOT = 0x2e;
const LF = 0x0a;
/** Of a row, beside terms: a space behind each of four, a full stop, the end of the line. */
const MARKS = 6;

/** Writes N-Triples or N-Quads, which is copying terms. */
export function* serializeNQuads(
  cursor: QuadCursor,
  naming: GraphNaming,
  spare?: SpareMemory,
): Generator<Uint8Array> {
  const writer = new ByteWriter(spare);
  const quads = new QuadRows(cursor);
  while (quads.more()) {
    writeRows(quads, naming, writer);
    if (writer.full) yield writer.take();
  }
  if (writer.length > 0) yield writer.take();
}

/**
 * Writes the quads that are there until they make a chunk, or need more room than there is, which is made then. What a row
 * has in common with the one before it is copied from there at once.
 *
 * All is done here, in local variables and without a call that V8 would not put in its place, and not in the generator: the
 * code that it makes of that is faster, and comes sooner.
 */
function writeRows(quads: QuadRows, { graphs, graphName }: GraphNaming, writer: ByteWriter): void {
  const { terms, words, end } = quads;
  const { ends } = terms;
  const source = viewOf(terms.bytes);
  const name = viewOf(ascii(graphs && graphName !== undefined ? `<${graphName}> ` : ''));
  const nameLength = name.byteLength;
  const namesOwnGraph = graphs && graphName === undefined;
  const { view: target, enough } = writer;
  const room = writer.bytes.length;
  let next = quads.at;
  let at = writer.length;
  let subject = NO_TERM;
  let predicate = NO_TERM;
  // Where the last row begins, and from there its predicate and object.
  let rowAt = at;
  let predicateAt = 0;
  let objectAt = 0;
  let missing = 0;
  for (; next < end && at < enough; next += QUAD_WORDS) {
    const start = at;
    const object = words[next + 2]!;
    const objectFrom = ends[object - 1]!;
    const objectTo = ends[object]!;
    const graph = namesOwnGraph ? words[next + 3]! : NO_TERM;
    let size = objectTo - objectFrom + nameLength + MARKS;
    if (graph !== NO_TERM) size += ends[graph]! - ends[graph - 1]!;
    if (words[next] === subject && words[next + 1] === predicate) {
      size += objectAt;
      if (at + size > room) {
        missing = size;
        break;
      }
      copyWide(target, rowAt, rowAt + objectAt, target, at);
      at += objectAt;
    } else {
      const nextPredicate = words[next + 1]!;
      const from = ends[nextPredicate - 1]!;
      const to = ends[nextPredicate]!;
      size += to - from;
      if (words[next] === subject) {
        size += predicateAt;
        if (at + size > room) {
          missing = size;
          break;
        }
        copyWide(target, rowAt, rowAt + predicateAt, target, at);
        at += predicateAt;
      } else {
        subject = words[next]!;
        const subjectFrom = ends[subject - 1]!;
        const subjectTo = ends[subject]!;
        size += subjectTo - subjectFrom;
        if (at + size > room) {
          missing = size;
          break;
        }
        copyWide(source, subjectFrom, subjectTo, target, at);
        at += subjectTo - subjectFrom;
        target.setUint8(at++, SPACE);
        predicateAt = at - start;
      }
      predicate = nextPredicate;
      copyWide(source, from, to, target, at);
      at += to - from;
      target.setUint8(at++, SPACE);
      objectAt = at - start;
    }
    rowAt = start;
    copyWide(source, objectFrom, objectTo, target, at);
    at += objectTo - objectFrom;
    target.setUint8(at++, SPACE);
    if (graph !== NO_TERM) {
      const from = ends[graph - 1]!;
      const to = ends[graph]!;
      copyWide(source, from, to, target, at);
      at += to - from;
      target.setUint8(at++, SPACE);
    } else if (nameLength > 0) {
      copyWide(name, 0, nameLength, target, at);
      at += nameLength;
    }
    target.setUint8(at++, DOT);
    target.setUint8(at++, LF);
  }
  writer.length = at;
  quads.at = next;
  if (missing > 0) writer.reserve(missing);
}
