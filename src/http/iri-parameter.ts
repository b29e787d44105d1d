import { type Failure, failure } from '../errors.ts';

/** RFC 3987 `ucschar`: planes 0 to 14 without surrogates, private use and noncharacters. */
const ucschar = `\\u{a0}-\\u{d7ff}\\u{f900}-\\u{fdcf}\\u{fdf0}-\\u{ffef}${[...higherPlanes(1, 14)].join('')}`;
const iprivate = `\\u{e000}-\\u{f8ff}${[...higherPlanes(15, 16)].join('')}`;

function* higherPlanes(first: number, last: number): Iterable<string> {
  for (let plane = first; plane <= last; plane++) {
    yield `\\u{${plane.toString(16)}0000}-\\u{${plane.toString(16)}fffd}`;
  }
}

const scheme = '[A-Za-z][A-Za-z0-9+\\-.]*';
const percentEscape = '%[0-9A-Fa-f]{2}';
const unreserved = `A-Za-z0-9\\-._~!$&'()*+,;=:@${ucschar}`;
/** Brackets are allowed only in an IP literal. */
const ipLiteral = `//(?:(?:[${unreserved}]|${percentEscape})*@)?\\[[0-9A-Fa-f:.v]+\\]`;
const path = `(?:[${unreserved}/]|${percentEscape})*`;
const query = `(?:[${unreserved}/?${iprivate}]|${percentEscape})*`;
const fragment = `(?:[${unreserved}/?]|${percentEscape})*`;
const absolute = new RegExp(`^${scheme}:(?:${ipLiteral})?${path}(?:\\?${query})?(?:#${fragment})?$`, 'u');

/**
 * Whether a text is an absolute IRI: it has a scheme, follows the syntax of RFC 3987 and has no
 * white space (G-15).
 */
export function isAbsoluteIri(text: string): boolean {
  return isPlainIri(text) || (absolute.test(text) && !/\s/u.test(text));
}

const PLAIN = 1;
const IN_SCHEME = 2;
/**
 * By character code: whether the character is allowed unescaped after the scheme, and whether it is
 * allowed in a scheme.
 */
const characterClass = new Uint8Array(128);
for (let code = 0; code < 128; code++) {
  const character = String.fromCharCode(code);
  if (/[A-Za-z0-9\-._~!$&'()*+,;=:@/?]/.test(character)) characterClass[code]! |= PLAIN;
  if (/[A-Za-z0-9+\-.]/.test(character)) characterClass[code]! |= IN_SCHEME;
}

/**
 * Whether a text is an absolute IRI of the most common kind: ASCII, no escapes, no fragment, no IP
 * literal. This is several times faster than the regular expression and runs for every evaluation
 * and redirect.
 */
function isPlainIri(text: string): boolean {
  if (!isLetter(text.charCodeAt(0))) return false;
  let i = 1;
  while (i < text.length && hasClass(text.charCodeAt(i), IN_SCHEME)) i++;
  if (text[i] !== ':') return false;
  while (i < text.length && hasClass(text.charCodeAt(i), PLAIN)) i++;
  return i === text.length;
}

function isLetter(code: number): boolean {
  return (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a);
}

function hasClass(code: number, wanted: number): boolean {
  return code < 128 && (characterClass[code]! & wanted) !== 0;
}

/** Returns the `bad-iri` error for a parameter. */
export function badIri(parameter: string, text: string): Failure {
  return failure('bad-iri', `${parameter}: '${text}' is not an absolute IRI.`);
}
