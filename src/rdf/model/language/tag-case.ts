/**
 * Language tags are equal if they differ only in the case of their letters. A term keeps the
 * spelling in which it was first written.
 */

/** This bit makes a letter lower case. Digits and hyphens have it already. */
export const SMALL_LETTER = 0x20;

const QUOTE = 0x22;
const GREATER = 0x3e;
const AT = 0x40;

/** Returns where the tag of the term `bytes[start .. end)` begins; `end` if it has none. */
export function tagStart(bytes: Uint8Array, start: number, end: number): number {
  const last = bytes[end - 1];
  if (last === GREATER || last === QUOTE || bytes[start] !== QUOTE) return end;
  for (let at = end - 1; at > start; at--) if (bytes[at] === AT) return at + 1;
  return end;
}

/** Returns the language tag `bytes[from .. to)` if it has a capital letter; otherwise empty. */
export function tagWithCapitals(bytes: Uint8Array, from: number, to: number): string {
  if (!hasCapitals(bytes, from, to)) return '';
  return Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString('latin1');
}

/** Whether a term has a language tag with a capital letter. */
export function hasCapitalTag(bytes: Uint8Array, start: number, end: number): boolean {
  return hasCapitals(bytes, tagStart(bytes, start, end), end);
}

function hasCapitals(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if ((bytes[at]! & SMALL_LETTER) === 0) return true;
  return false;
}

/** Whether two terms are equal: their bytes, or what remains if the case of tags is ignored. */
export function areEqual(a: Uint8Array, b: Uint8Array): boolean {
  const { length } = a;
  if (b.length !== length) return false;
  const tag = tagStart(a, 0, length);
  for (let i = 0; i < tag; i++) if (a[i] !== b[i]) return false;
  for (let i = tag; i < length; i++) if ((a[i]! | SMALL_LETTER) !== (b[i]! | SMALL_LETTER)) return false;
  return true;
}

/** Returns the language tag of a term; empty if it has none. */
export function tagIn(term: string): string {
  const last = term.charCodeAt(term.length - 1);
  if (last === GREATER || last === QUOTE || term.charCodeAt(0) !== QUOTE) return '';
  return term.slice(term.lastIndexOf('@') + 1);
}

/** Returns a term with its language tag in lower case: the same text for all equal terms. */
export function withSmallTag(term: string): string {
  const tag = tagIn(term);
  return tag === '' ? term : term.slice(0, term.length - tag.length) + tag.toLowerCase();
}
