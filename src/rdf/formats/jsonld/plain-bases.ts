import { COLON, endOfString, QUOTE, skipSpace } from '../../../base/json/bytes.ts';
import type { BasePlaceholders } from './base-placeholders.ts';
import { type Edit, EditedText } from './edited-text.ts';
import { findContexts, jsonAt, type Slice } from './find-contexts.ts';
import { LiteralKeys } from './literal-keys.ts';

const key = Buffer.from('"@base"');

/** Returns the document with contexts whose bases are plain. JSON literals are data. */
export function withPlainBases(document: Uint8Array, placeholders: BasePlaceholders): EditedText {
  const bytes = Buffer.from(document.buffer, document.byteOffset, document.length);
  if (!bytes.includes(key)) return new EditedText(document, []);
  const literals = new LiteralKeys();
  for (const slice of findContexts(bytes).values()) literals.add(jsonAt(bytes, slice));
  const contexts = findContexts(bytes, literals.all()).values();
  const edits = [...contexts].flatMap((context) => editsOf(bytes, context, placeholders));
  return new EditedText(
    document,
    edits.sort((left, right) => left.start - right.start),
  );
}

function editsOf(bytes: Buffer, context: Slice, placeholders: BasePlaceholders): Edit[] {
  const edits: Edit[] = [];
  const { end } = context;
  for (let at = context.start; at < end; at++) {
    if (bytes[at] !== QUOTE) continue;
    const start = at;
    at = endOfString(bytes, start) - 1;
    if (!key.equals(bytes.subarray(start, at + 1))) continue;
    const edit = editOf(bytes, at + 1, placeholders);
    if (edit) edits.push(edit);
  }
  return edits;
}

/** `keyEnd`: the offset after the key. */
function editOf(bytes: Buffer, keyEnd: number, placeholders: BasePlaceholders): Edit | undefined {
  const colon = skipSpace(bytes, keyEnd);
  const start = skipSpace(bytes, colon + 1);
  if (bytes[colon] !== COLON || bytes[start] !== QUOTE) return undefined;
  const end = endOfString(bytes, start);
  const base = jsonAt(bytes, { start, end });
  // The parser reports a malformed string.
  if (typeof base !== 'string') return undefined;
  const plain = placeholders.plain(base);
  return plain === base ? undefined : { start, end, replacement: Buffer.from(JSON.stringify(plain)) };
}
