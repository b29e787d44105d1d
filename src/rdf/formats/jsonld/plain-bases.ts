import { COLON, endOfString, QUOTE, skipSpace } from '../../../base/json/bytes.ts';
import { withoutInnerDots } from '../resolve-iri.ts';
import { findContexts, jsonAt, type Slice } from './find-contexts.ts';
import { LiteralKeys } from './literal-keys.ts';

const key = Buffer.from('"@base"');
const SPACE = 0x20;

/**
 * Returns the document with contexts whose bases have no dot segments before their last segment.
 * RFC 3986 removes these from the IRIs that are resolved against a base, and Oxigraph does not.
 * Positions do not change: a shorter base is followed by spaces. JSON literals are data.
 */
export function withPlainBases(document: Uint8Array): Uint8Array {
  const bytes = Buffer.from(document.buffer, document.byteOffset, document.length);
  if (!bytes.includes(key)) return document;
  const changed = Buffer.from(bytes);
  const literals = new LiteralKeys();
  for (const slice of findContexts(bytes).values()) literals.add(jsonAt(bytes, slice));
  for (const context of findContexts(bytes, literals.all()).values()) shortenBases(changed, context);
  return changed;
}

function shortenBases(bytes: Buffer, context: Slice): void {
  const { end } = context;
  for (let at = context.start; at < end; at++) {
    if (bytes[at] !== QUOTE) continue;
    const start = at;
    at = endOfString(bytes, start) - 1;
    if (key.equals(bytes.subarray(start, at + 1))) shortenBase(bytes, at + 1);
  }
}

/** `keyEnd`: the offset after the key. */
function shortenBase(bytes: Buffer, keyEnd: number): void {
  const colon = skipSpace(bytes, keyEnd);
  const start = skipSpace(bytes, colon + 1);
  if (bytes[colon] !== COLON || bytes[start] !== QUOTE) return;
  const end = endOfString(bytes, start);
  const base = jsonAt(bytes, { start, end });
  // The parser reports a malformed string.
  if (typeof base !== 'string') return;
  const plain = Buffer.from(JSON.stringify(withoutInnerDots(base)));
  if (plain.length < end - start) bytes.fill(SPACE, start, end).set(plain, start);
}
