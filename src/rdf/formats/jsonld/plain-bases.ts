import { COLON, endOfString, parseSlice, QUOTE, skipSpace } from '../json/bytes.ts';
import { withoutInnerDots } from '../resolve-iri.ts';
import { findContexts } from './find-contexts.ts';

const key = Buffer.from('"@base"');
const jsonType = Buffer.from('@json');
const SPACE = 0x20;

/**
 * Returns the document with contexts whose bases have no dot segments before their last segment.
 * RFC 3986 removes these from the IRIs that are resolved against a base, and Oxigraph does not.
 * Positions do not change: a shorter base is followed by spaces. A document that may have JSON
 * literals, which are data, is left as it is.
 */
export function withPlainBases(document: Uint8Array): Uint8Array {
  const bytes = Buffer.from(document.buffer, document.byteOffset, document.length);
  if (!bytes.includes(key) || bytes.includes(jsonType)) return document;
  const changed = Buffer.from(bytes);
  for (const { start, end } of findContexts(bytes).values()) {
    for (let at = bytes.indexOf(key, start); at >= 0 && at < end; at = bytes.indexOf(key, at + 1)) {
      shortenBase(changed, at + key.length);
    }
  }
  return changed;
}

/** `keyEnd`: the offset after the key. */
function shortenBase(bytes: Buffer, keyEnd: number): void {
  const colon = skipSpace(bytes, keyEnd);
  const start = skipSpace(bytes, colon + 1);
  if (bytes[colon] !== COLON || bytes[start] !== QUOTE) return;
  const end = endOfString(bytes, start);
  const base = Buffer.from(JSON.stringify(withoutInnerDots(stringAt(bytes, start, end))));
  if (base.length < end - start) bytes.fill(SPACE, start, end).set(base, start);
}

/** Returns '' for a malformed string, which the parser reports. */
function stringAt(bytes: Uint8Array, start: number, end: number): string {
  try {
    return String(parseSlice(bytes, start, end));
  } catch {
    return '';
  }
}
