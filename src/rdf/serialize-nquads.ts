import type { QuadCursor } from '../graph/quad-cursor.ts';
import { ByteWriter, type SpareMemory } from './byte-writer.ts';
import { GraphNames, type GraphNaming } from './graph-naming.ts';

const SPACE = 0x20;
const DOT = 0x2e;
const LF = 0x0a;

/** Writes N-Triples or N-Quads, which is copying terms. */
export function* serializeNQuads(
  cursor: QuadCursor,
  naming: GraphNaming,
  spare?: SpareMemory,
): Generator<Uint8Array<ArrayBuffer>> {
  const writer = new ByteWriter(spare);
  const { terms } = cursor;
  const names = new GraphNames(cursor, naming);
  let key = -1;
  let name = names.current;
  while (cursor.next()) {
    if (names.key !== key) {
      key = names.key;
      name = names.current;
    }
    writer.term(terms, cursor.subject);
    writer.byte(SPACE);
    writer.term(terms, cursor.predicate);
    writer.byte(SPACE);
    writer.term(terms, cursor.object);
    if (name.length > 0) {
      writer.byte(SPACE);
      writer.put(name);
    }
    writer.byte(SPACE);
    writer.byte(DOT);
    writer.byte(LF);
    if (writer.full) yield writer.take();
  }
  if (writer.length > 0) yield writer.take();
}
