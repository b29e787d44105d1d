/**
 * Finds the ends of the terminals of SPARQL's grammar, following its productions. It is written by
 * hand because texts may have a million characters, and regular expressions take ten times as long
 * for each token.
 */

const BASE = 1;
/** `PN_CHARS_U` and digits: the first characters of variables and labels. */
const FIRST = 2;
/** `PN_CHARS` without the hyphen: the further characters of variables. */
const INNER = 4;
const DIGIT = 8;
const HEX = 16;
const NO_IRI = 32;
/** ASCII letters, of which keywords consist. */
const LETTER = 64;
const IN_WORD = 128;

/** `PN_CHARS_BASE`. The last range is the surrogates of characters above U+FFFF. */
const baseRanges = [
  [0x41, 0x5a],
  [0x61, 0x7a],
  [0xc0, 0xd6],
  [0xd8, 0xf6],
  [0xf8, 0x2ff],
  [0x370, 0x37d],
  [0x37f, 0x1fff],
  [0x200c, 0x200d],
  [0x2070, 0x218f],
  [0x2c00, 0x2fef],
  [0x3001, 0xd7ff],
  [0xf900, 0xfdcf],
  [0xfdf0, 0xfffd],
  [0xd800, 0xdfff],
] as const;

/** Character classes by UTF-16 code unit. */
const classes = new Uint8Array(0x10000);
mark(BASE | FIRST | INNER, ...baseRanges);
mark(FIRST | INNER, [0x5f, 0x5f]);
mark(FIRST | INNER | DIGIT, [0x30, 0x39]);
mark(INNER, [0xb7, 0xb7], [0x300, 0x36f], [0x203f, 0x2040]);
mark(HEX, [0x30, 0x39], [0x41, 0x46], [0x61, 0x66]);
mark(NO_IRI, [0, 0x20]);
mark(LETTER | IN_WORD, [0x41, 0x5a], [0x61, 0x7a]);
mark(IN_WORD, [0x30, 0x39], [0x5f, 0x5f]);
for (const character of '<>"{}|^`\\') mark(NO_IRI, [character.charCodeAt(0), character.charCodeAt(0)]);

function mark(bits: number, ...ranges: readonly (readonly [first: number, last: number])[]): void {
  for (const [first, last] of ranges) for (let code = first; code <= last; code++) classes[code]! |= bits;
}

const DOT = 0x2e;
const HYPHEN = 0x2d;
const COLON = 0x3a;
const PERCENT = 0x25;
const BACKSLASH = 0x5c;
const GREATER = 0x3e;
const HASH = 0x23;

/** The class of the character at an offset; 0 at the end of the text. */
function classAt(source: string, at: number): number {
  // `charCodeAt` returns NaN beyond the end, and no class has that index.
  return at < source.length ? classes[source.charCodeAt(at)]! : 0;
}

function isNameCharacter(source: string, at: number): boolean {
  return (classAt(source, at) & INNER) !== 0 || source.charCodeAt(at) === HYPHEN;
}

export function beginsPrefix(source: string, at: number): boolean {
  return (classAt(source, at) & BASE) !== 0;
}

/** Code units with which a prefix may begin, in order. */
export function prefixStarts(): number[] {
  return [...classes.keys()].filter((code) => (classes[code]! & BASE) !== 0);
}

export function isDigit(source: string, at: number): boolean {
  return (classAt(source, at) & DIGIT) !== 0;
}

export function beginsWord(source: string, at: number): boolean {
  return (classAt(source, at) & LETTER) !== 0;
}

/** Returns the end of a word of ASCII letters, digits and underscores. */
export function endOfWord(source: string, start: number): number {
  let at = start;
  while ((classAt(source, at) & IN_WORD) !== 0) at++;
  return at;
}

/** Returns the end of white space and comments. */
export function endOfSpace(source: string, start: number): number {
  let at = start;
  for (;;) {
    const code = source.charCodeAt(at);
    if (code === 0x20 || (code >= 0x09 && code <= 0x0d) || code === 0xa0) at++;
    else if (code === HASH) at = endOfLine(source, at);
    else return at;
  }
}

function endOfLine(source: string, start: number): number {
  for (let at = start; at < source.length; at++) {
    const code = source.charCodeAt(at);
    if (code === 0x0a || code === 0x0d) return at;
  }
  return source.length;
}

/**
 * Returns the end of an `IRIREF`. This function and those below return undefined if there is no
 * such terminal at the offset.
 */
export function endOfIri(source: string, start: number): number | undefined {
  let at = start + 1;
  while (at < source.length) {
    const code = source.charCodeAt(at);
    if ((classes[code]! & NO_IRI) === 0) at++;
    else if (code === GREATER) return at + 1;
    else if (code === BACKSLASH && isCodePoint(source, at)) at += source[at + 1] === 'u' ? 6 : 10;
    else return undefined;
  }
  return undefined;
}

/** Whether `\u` with four digits or `\U` with eight is at the offset. */
function isCodePoint(source: string, start: number): boolean {
  const letter = source[start + 1];
  const digits = letter === 'u' ? 4 : letter === 'U' ? 8 : 0;
  for (let at = start + 2; at < start + 2 + digits; at++) if ((classAt(source, at) & HEX) === 0) return false;
  return digits > 0;
}

/** Returns the end of a variable including its mark. */
export function endOfVariable(source: string, start: number): number | undefined {
  if ((classAt(source, start + 1) & FIRST) === 0) return undefined;
  let at = start + 2;
  while ((classAt(source, at) & INNER) !== 0) at++;
  return at;
}

/** Returns the end of a blank node label. */
export function endOfLabel(source: string, start: number): number | undefined {
  const first = start + 2;
  if (source.charCodeAt(start + 1) !== COLON || (classAt(source, first) & FIRST) === 0) return undefined;
  return endOfDotted(source, first + 1, isNameCharacter);
}

/**
 * Returns the end of a possible prefix, including the dots after it. A prefix must begin at
 * `start`.
 */
export function endOfPrefix(source: string, start: number): number {
  let at = start + 1;
  while (isNameCharacter(source, at) || source.charCodeAt(at) === DOT) at++;
  return at;
}

/** Returns the end of a `PN_LOCAL`; the offset itself if there is none. */
export function endOfLocal(source: string, start: number): number {
  const isFirst = (classAt(source, start) & FIRST) !== 0 || source.charCodeAt(start) === COLON;
  if (!isFirst && !isEscape(source, start)) return start;
  let end = start;
  for (let at = start; ; ) {
    if (source.charCodeAt(at) === DOT) at++;
    else if (isEscape(source, at)) at = end = at + (source.charCodeAt(at) === PERCENT ? 3 : 2);
    else if (isNameCharacter(source, at) || source.charCodeAt(at) === COLON) at = end = at + 1;
    else return end;
  }
}

/** Whether a `PLX` is at the offset. */
function isEscape(source: string, at: number): boolean {
  const code = source.charCodeAt(at);
  if (code === BACKSLASH) return at + 1 < source.length && "_~.-!$&'()*+,;=/?#@%".includes(source[at + 1]!);
  return code === PERCENT && (classAt(source, at + 1) & HEX) !== 0 && (classAt(source, at + 2) & HEX) !== 0;
}

function endOfDotted(
  source: string,
  start: number,
  isInner: (source: string, at: number) => boolean,
): number {
  let end = start;
  for (let at = start; ; ) {
    if (source.charCodeAt(at) === DOT) at++;
    else if (isInner(source, at)) at = end = at + 1;
    else return end;
  }
}

const language = /@[A-Za-z]+(?:-[A-Za-z0-9]+)*(?:--[A-Za-z]+)?/y;

export function endOfLanguage(source: string, start: number): number | undefined {
  language.lastIndex = start;
  return language.test(source) ? language.lastIndex : undefined;
}

function endOfDigits(source: string, start: number): number {
  let at = start;
  while (isDigit(source, at)) at++;
  return at;
}

/** Returns the end of a number without a sign. */
export function endOfNumber(source: string, start: number): number | undefined {
  const whole = endOfDigits(source, start);
  const hasDot = source.charCodeAt(whole) === DOT;
  const fraction = hasDot ? endOfDigits(source, whole + 1) : whole;
  const hasFraction = fraction > whole + 1;
  if (whole === start && !hasFraction) return undefined;
  const exponent = endOfExponent(source, fraction);
  if (exponent !== undefined) return exponent;
  return hasFraction ? fraction : whole;
}

function endOfExponent(source: string, start: number): number | undefined {
  if ((source.charCodeAt(start) | 0x20) !== 0x65) return undefined;
  const sign = source[start + 1];
  const digits = sign === '+' || sign === '-' ? start + 2 : start + 1;
  const end = endOfDigits(source, digits);
  return end > digits ? end : undefined;
}

/** Returns the end of a string, or of the text if the string is not closed. */
export function endOfString(source: string, start: number): number {
  const mark = source[start]!;
  const long = source.startsWith(mark.repeat(3), start)
    ? closingMark(source, start + 3, mark.repeat(3))
    : undefined;
  return long ?? closingMark(source, start + 1, mark) ?? source.length;
}

/**
 * Returns the offset after the mark that closes a string; undefined if it is not closed or has an
 * invalid escape.
 */
function closingMark(source: string, start: number, mark: string): number | undefined {
  const first = mark.charCodeAt(0);
  for (let at = start; at < source.length; at++) {
    const code = source.charCodeAt(at);
    if (code === first && (mark.length === 1 || source.startsWith(mark, at))) return at + mark.length;
    if (mark.length === 1 && (code === 0x0a || code === 0x0d)) return undefined;
    if (code !== BACKSLASH) continue;
    if (!isCodePoint(source, at) && !'tbnrf"\'\\'.includes(source[at + 1] ?? 'none')) return undefined;
    at++;
  }
  return undefined;
}
