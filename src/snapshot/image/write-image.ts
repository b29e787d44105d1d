import type { DictionaryDescriptor, SnapshotDescriptor } from '../descriptor.ts';
import { SLOT_WORDS, TABLE_HEADER } from '../dictionary/term-lookup.ts';
import { bytesOf, streamBase } from '../runs/streamed-base.ts';
import { encodeHeader } from './layout.ts';

/**
 * Fewer terms than this are hashed again in a few milliseconds, and the image of a few quads stays
 * small.
 */
const TABLE_FROM_TERMS = 1 << 14;
const TABLE_CHUNK_WORDS = 1 << 18;

/**
 * Writes a snapshot as an image, in chunks. Each chunk is valid until the next one is requested.
 */
export function* imageChunks(
  descriptor: SnapshotDescriptor,
  tableFromTerms = TABLE_FROM_TERMS,
): Generator<Uint8Array> {
  const { sequence, dictionary } = descriptor;
  const { arena, ends, table, termCount } = dictionary;
  const base = streamBase(descriptor);
  const arenaBytes = new Uint32Array(ends)[termCount]!;
  const tableBytes = termCount < tableFromTerms ? 0 : table.byteLength;
  const { usedTerms, bytes: baseBytes } = base;
  yield encodeHeader({ sequence, termCount, usedTerms, tableBytes, baseBytes, arenaBytes });
  yield* bytesOf(ends, 4 * (termCount + 1));
  if (tableBytes > 0) yield* tableChunks(dictionary);
  yield* base.chunks();
  yield* bytesOf(arena, arenaBytes);
}

/**
 * The table as it was when the snapshot was published, although it grows in place. No search for an
 * older term passes the slot of a newer one, unless the table was rebuilt in between; but then it
 * was moved.
 */
function* tableChunks({ table, termCount }: DictionaryDescriptor): Generator<Uint8Array> {
  const words = new Uint32Array(table);
  const chunk = new Uint32Array(TABLE_CHUNK_WORDS);
  yield new Uint8Array(words.slice(0, TABLE_HEADER).buffer);
  for (let from = TABLE_HEADER; from < words.length; from += chunk.length) {
    const part = words.subarray(from, from + chunk.length);
    for (let at = 0; at < part.length; at += SLOT_WORDS) {
      // Read once, since the store thread may be filling the slot.
      const id = part[at]!;
      const isOld = id <= termCount;
      chunk[at] = isOld ? id : 0;
      chunk[at + 1] = isOld ? part[at + 1]! : 0;
    }
    yield new Uint8Array(chunk.buffer, 0, part.byteLength);
  }
}
