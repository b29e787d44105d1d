import type { QuadCursor } from '../graph/quad-cursor.ts';
import { NO_TERM } from '../graph/term-id.ts';
import { ByteWriter, type SpareMemory } from './byte-writer.ts';
import { GraphNames, type GraphNaming } from './graph-naming.ts';

const SPACE = 0x20;
const DOT = 0x2e;
const LF = 0x0a;

/**
 * Writes N-Triples or N-Quads, which is copying terms: those that a row has in common with the one before it are copied
 * from there at once.
 */
export function* serializeNQuads(
  cursor: QuadCursor,
  naming: GraphNaming,
  spare?: SpareMemory,
): Generator<Uint8Array> {
  const writer = new ByteWriter(spare);
  const { terms } = cursor;
  const names = new GraphNames(cursor, naming);
  let key = -1;
  let name = names.current;
  let subject = NO_TERM;
  let predicate = NO_TERM;
  // Where the last row and its predicate and object begin.
  let rowAt = 0;
  let predicateAt = 0;
  let objectAt = 0;
  while (cursor.next()) {
    if (names.key !== key) {
      key = names.key;
      name = names.current;
    }
    const start = writer.length;
    if (cursor.subject !== subject) {
      subject = cursor.subject;
      predicate = cursor.predicate;
      writer.term(terms, subject);
      writer.byte(SPACE);
      predicateAt = writer.length - start;
      writer.term(terms, predicate);
      writer.byte(SPACE);
      objectAt = writer.length - start;
    } else if (cursor.predicate !== predicate) {
      predicate = cursor.predicate;
      writer.repeat(rowAt, rowAt + predicateAt);
      writer.term(terms, predicate);
      writer.byte(SPACE);
      objectAt = writer.length - start;
    } else {
      writer.repeat(rowAt, rowAt + objectAt);
    }
    rowAt = start;
    writer.term(terms, cursor.object);
    if (name.length > 0) {
      writer.byte(SPACE);
      writer.put(name);
    }
    writer.byte(SPACE);
    writer.byte(DOT);
    writer.byte(LF);
    if (writer.full) {
      yield writer.take();
      subject = NO_TERM;
    }
  }
  if (writer.length > 0) yield writer.take();
}
