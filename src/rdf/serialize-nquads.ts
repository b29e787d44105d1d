import type { QuadCursor } from '../graph/quad-cursor.ts';
import { QUAD_WORDS, QuadRows } from '../graph/quad-rows.ts';
import { NO_TERM } from '../graph/term-id.ts';
import { copyWide, viewOf } from '../graph/wide-copy.ts';
import { ascii, ByteWriter, type SpareMemory } from './byte-writer.ts';
import type { GraphNaming } from './graph-naming.ts';

const SPACE = 0x20;
const DOT = 0x2e;
const LF = 0x0a;
/** Space, full stop, line feed. */
const END_BYTES = 3;

const nothing = new Uint8Array(0);

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
 * Writes the quads that are there until they make a chunk. What a row has in common with the one before it is copied from
 * there at once.
 *
 * The most of it is rows whose object alone is new. For them all is done here, in local variables and without a call, and
 * not in the generator: V8 makes faster code of it so, and sooner.
 */
function writeRows(quads: QuadRows, { graphs, graphName }: GraphNaming, writer: ByteWriter): void {
  const { terms, words, end } = quads;
  const source = viewOf(terms.bytes);
  const name = graphs && graphName !== undefined ? ascii(` <${graphName}>`) : nothing;
  const namesOwnGraph = graphs && graphName === undefined;
  let next = quads.at;
  let subject = NO_TERM;
  let predicate = NO_TERM;
  let { view: target, length: at } = writer;
  let room = writer.bytes.length;
  // Where the last row begins, and from there its predicate and object.
  let rowAt = at;
  let predicateAt = 0;
  let objectAt = 0;
  for (; next < end && !writer.full; next += QUAD_WORDS) {
    const start = at;
    if (words[next] === subject && words[next + 1] === predicate && at + objectAt <= room) {
      copyWide(target, rowAt, rowAt + objectAt, target, at);
      at += objectAt;
    } else {
      if (words[next] === subject) {
        writer.repeat(rowAt, rowAt + predicateAt);
      } else {
        subject = words[next]!;
        writer.term(terms, subject);
        writer.byte(SPACE);
        predicateAt = writer.length - start;
      }
      predicate = words[next + 1]!;
      writer.term(terms, predicate);
      writer.byte(SPACE);
      objectAt = writer.length - start;
      ({ view: target, length: at } = writer);
      room = writer.bytes.length;
    }
    rowAt = start;
    const object = words[next + 2]!;
    const from = terms.start(object);
    const to = terms.end(object);
    if (at + to - from + END_BYTES > room) {
      writer.length = at;
      writer.reserve(to - from + END_BYTES);
      target = writer.view;
      room = writer.bytes.length;
    }
    copyWide(source, from, to, target, at);
    at += to - from;
    if (graphs) {
      writer.length = at;
      if (!namesOwnGraph) writer.put(name);
      else if (words[next + 3] !== NO_TERM) {
        writer.byte(SPACE);
        writer.term(terms, words[next + 3]!);
      }
      writer.reserve(END_BYTES);
      ({ view: target, length: at } = writer);
      room = writer.bytes.length;
    }
    target.setUint8(at, SPACE);
    target.setUint8(at + 1, DOT);
    target.setUint8(at + 2, LF);
    at += END_BYTES;
    writer.length = at;
  }
  quads.at = next;
}
