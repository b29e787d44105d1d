/**
 * Translates character classes of Java's regular expressions to the syntax of JavaScript (ldpath
 * 5.8).
 *
 * With the flag `v`, JavaScript has nested classes, too. But V8 in Node.js 20 evaluates complements
 * wrongly with it: `(?:[^a]b)+` matches "ab".
 */
import { LRUCache } from 'lru-cache';
import { type PatternReader, PatternSyntaxError } from './pattern-reader.ts';

/** The effect of `(?i)` and `(?U)` on characters and classes; see `Flags` of the translation. */
export interface ClassFlags {
  readonly ignoreCase: boolean;
  readonly unicodeClasses: boolean;
}

/** Line terminators for `.`, `^` and `$`, as the contents of a class. */
export const LINE_ENDS = '\\n\\r\\u0085\\u2028\\u2029';
/** Any character. */
export const ANY = '[^]';
const BLANKS = ' \\t\\n\\v\\f\\r';
const HORIZONTAL = ' \\t\\u00a0\\u1680\\u180e\\u2000-\\u200a\\u202f\\u205f\\u3000';
const VERTICAL = `\\v\\f${LINE_ENDS}`;
const UNICODE_WORD = '\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}';
/** ASCII characters that are neither letters, digits, blanks nor control characters. */
const PUNCTUATION = '\\u0021-\\u002f\\u003a-\\u0040\\u005b-\\u0060\\u007b-\\u007e';

/** Contents of `\d`, `\h`, `\s`, `\v`, `\w`, by letter. */
const escapes: Readonly<Record<string, readonly [plain: string, unicode: string]>> = {
  d: ['0-9', '\\p{Nd}'],
  h: [HORIZONTAL, HORIZONTAL],
  s: [BLANKS, '\\p{White_Space}'],
  v: [VERTICAL, VERTICAL],
  w: ['A-Za-z0-9_', UNICODE_WORD],
};
/** Maps contents to those of the complement. */
const complements: ReadonlyMap<string, string> = new Map([
  ['0-9', '\\D'],
  ['A-Za-z0-9_', '\\W'],
  [BLANKS, '\\u0000-\\u0008\\u000e-\\u001f\\u0021-\\u{10ffff}'],
]);

/** A set of characters. */
class CharacterSet {
  /** The contents of a JavaScript class for the set; null if it can't be expressed that way. */
  readonly contents: string | null;
  /** A regular expression that matches one character of the set. */
  readonly source: string;

  private constructor(contents: string | null, source: string) {
    this.contents = contents;
    this.source = source;
  }

  static of(contents: string): CharacterSet {
    return new CharacterSet(contents, `[${contents}]`);
  }

  static union(sets: readonly CharacterSet[]): CharacterSet {
    if (sets.length === 1) return sets[0]!;
    const contents = sets.flatMap((set) => set.contents ?? []).join('');
    const others = sets.flatMap((set) => (set.contents === null ? [set.source] : []));
    if (others.length === 0) return CharacterSet.of(contents);
    const sources = contents === '' ? others : [`[${contents}]`, ...others];
    return new CharacterSet(null, `(?:(?=${sources.join('|')})${ANY})`);
  }

  static intersection(sets: readonly CharacterSet[]): CharacterSet {
    if (sets.length === 1) return sets[0]!;
    const [last, ...others] = sets.map(({ source }) => source).reverse();
    return new CharacterSet(null, `(?:${others.map((source) => `(?=${source})`).join('')}${last})`);
  }

  complement(): CharacterSet {
    const { contents } = this;
    if (contents === null) return new CharacterSet(null, `(?:(?!${this.source})${ANY})`);
    const property = /^\\p(\{[^{}]+\})$/.exec(contents);
    const other = property === null ? complements.get(contents) : `\\P${property[1]}`;
    return new CharacterSet(other ?? null, `[^${contents}]`);
  }
}

/** Contents for `\p{...}` with Java's own names. Those of POSIX are limited to ASCII. */
const properties: ReadonlyMap<string, string> = new Map([
  ['Lower', 'a-z'],
  ['Upper', 'A-Z'],
  ['ASCII', '\\u0000-\\u007f'],
  ['Alpha', 'A-Za-z'],
  ['Digit', '0-9'],
  ['Alnum', 'A-Za-z0-9'],
  ['Punct', PUNCTUATION],
  ['Graph', `A-Za-z0-9${PUNCTUATION}`],
  ['Print', ` A-Za-z0-9${PUNCTUATION}`],
  ['Blank', ' \\t'],
  ['Cntrl', '\\u0000-\\u001f\\u007f'],
  ['XDigit', '0-9A-Fa-f'],
  ['Space', BLANKS],
  ['L1', '\\u0000-\\u00ff'],
  ['LD', '\\p{L}\\p{Nd}'],
  ['all', '\\p{Any}'],
  ['javaLowerCase', '\\p{Lowercase}'],
  ['javaUpperCase', '\\p{Uppercase}'],
  ['javaLetter', '\\p{L}'],
  ['javaDigit', '\\p{Nd}'],
  ['javaLetterOrDigit', '\\p{L}\\p{Nd}'],
  ['javaAlphabetic', '\\p{Alphabetic}'],
  [
    'javaWhitespace',
    '\\t-\\r\\u001c-\\u0020\\u1680\\u2000-\\u2006\\u2008-\\u200a\\u2028\\u2029\\u205f\\u3000',
  ],
  ['IsLetter', '\\p{L}'],
  ['IsDigit', '\\p{Nd}'],
  ['IsPunctuation', '\\p{P}'],
  ['IsControl', '\\p{Cc}'],
  ['IsTitlecase', '\\p{Lt}'],
  ['InBasicLatin', '\\u0000-\\u007f'],
  ['InLatin-1Supplement', '\\u0080-\\u00ff'],
  ['InGreek', '\\u0370-\\u03ff'],
  ['InCyrillic', '\\u0400-\\u04ff'],
]);

const CASED = '\\p{Lu}\\p{Ll}\\p{Lt}';

/** Contents for properties that name a case, if case is ignored. */
const anyCase: ReadonlyMap<string, string> = new Map([
  ['Lower', 'A-Za-z'],
  ['Upper', 'A-Za-z'],
  ...['Lu', 'Ll', 'Lt'].flatMap((name) =>
    [name, `Is${name}`, `gc=${name}`].map((form) => [form, CASED] as const),
  ),
  ...['javaLowerCase', 'javaUpperCase', 'IsLowercase', 'IsUppercase', 'IsTitlecase'].map(
    (name) => [name, `\\p{Lowercase}\\p{Uppercase}${CASED}`] as const,
  ),
]);

/**
 * Reads `\d` and similar escapes, and `\p{...}`, after the backslash; returns null for any other
 * letter, without consuming it.
 */
export function readClassEscape(reader: PatternReader, flags: ClassFlags): string | null {
  return readEscapedSet(reader, flags)?.source ?? null;
}

function readEscapedSet(
  reader: PatternReader,
  { ignoreCase, unicodeClasses }: ClassFlags,
): CharacterSet | null {
  const letter = reader.peek();
  const name = letter.toLowerCase();
  const known = /^[dhsvw]$/.test(name) ? escapes[name] : undefined;
  if (known === undefined && name !== 'p') return null;
  reader.next();
  const set = CharacterSet.of(
    known === undefined ? readProperty(reader, ignoreCase) : known[unicodeClasses ? 1 : 0],
  );
  return letter === name ? set : set.complement();
}

/** Reads `{Name}`, or one letter. */
function readProperty(reader: PatternReader, ignoreCase: boolean): string {
  const braced = reader.match(/\{([^{}]+)\}/y);
  const name = braced === null ? reader.next() : braced[1]!;
  const found = (ignoreCase ? anyCase.get(name) : undefined) ?? properties.get(name) ?? unicodeProperty(name);
  if (found === undefined) throw new PatternSyntaxError(`There is no property ${name}`);
  return found;
}

/** A cache of properties: only V8 knows which ones exist, and asking it is slow. */
const knownProperties = new LRUCache<string, string>({ max: 500 });

function unicodeProperty(name: string): string | undefined {
  const known = knownProperties.get(name);
  if (known !== undefined) return known;
  const found = unicodeProperties(name).find(isProperty);
  if (found !== undefined) knownProperties.set(name, found);
  return found;
}

/**
 * Returns the possible names in JavaScript of a Unicode property: `Lu`, `IsLu`, `gc=Lu`, `IsLatin`,
 * `sc=LATIN`, `IsWhite_Space`.
 */
function unicodeProperties(name: string): string[] {
  const [, key, value] = /^(?:(\w+)=|Is)?(\w+)$/.exec(name) ?? [];
  if (value === undefined) return [];
  const words = value.toLowerCase().replace(/(?:^|_)[a-z]/g, (start) => start.toUpperCase());
  const script = `\\p{Script=${words}}`;
  if (/^(?:sc|script)$/i.test(key ?? '')) return [script];
  if (/^(?:gc|general_category)$/i.test(key ?? '')) return [`\\p{gc=${value}}`];
  return key === undefined ? [`\\p{gc=${value}}`, script, `\\p{${value}}`, `\\p{${words}}`] : [];
}

function isProperty(pattern: string): boolean {
  try {
    return new RegExp(pattern, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}

/** Reads `[...]` after the opening bracket: ranges, nested classes, `&&` (ldpath 5.8). */
export function readCharacterClass(reader: PatternReader, flags: ClassFlags): string {
  return readClass(reader, flags).source;
}

function readClass(reader: PatternReader, flags: ClassFlags): CharacterSet {
  const isComplement = reader.take('^');
  const operands: CharacterSet[] = [];
  do operands.push(reader.nested(() => readUnion(reader, flags, operands.length === 0)));
  while (reader.take('&&'));
  if (!reader.take(']')) throw new PatternSyntaxError('Unclosed character class');
  const set = CharacterSet.intersection(operands);
  return isComplement ? set.complement() : set;
}

/** Reads up to `&&` or `]`; a bracket in first position is a literal character. */
function readUnion(reader: PatternReader, flags: ClassFlags, isFirst: boolean): CharacterSet {
  const items: CharacterSet[] = [];
  while (!reader.at('&&') && !(reader.at(']') && (items.length > 0 || !isFirst))) {
    items.push(readItem(reader, flags));
  }
  if (items.length === 0) throw new PatternSyntaxError('Empty character class');
  return CharacterSet.union(items);
}

function readItem(reader: PatternReader, flags: ClassFlags): CharacterSet {
  if (reader.take('[')) return readClass(reader, flags);
  if (reader.at('\\Q'))
    return CharacterSet.of([...reader.quotation()].map((one) => range(one, one, flags)).join(''));
  if (!reader.take('\\')) return readRange(reader, reader.next(), flags);
  return readEscapedSet(reader, flags) ?? readRange(reader, reader.escapedCharacter(), flags);
}

function readRange(reader: PatternReader, from: string, flags: ClassFlags): CharacterSet {
  if (!reader.at('-') || reader.at('-]') || reader.at('-[') || reader.at('-&&'))
    return CharacterSet.of(range(from, from, flags));
  reader.next();
  const to = reader.take('\\') ? reader.escapedCharacter() : reader.next();
  if (to.codePointAt(0)! < from.codePointAt(0)!)
    throw new PatternSyntaxError('The ends of a range are in the wrong order');
  return CharacterSet.of(range(from, to, flags));
}

/**
 * Returns a range, in both cases if case is ignored; only ASCII letters have two cases, as in Java.
 */
function range(from: string, to: string, { ignoreCase }: ClassFlags): string {
  const [first, last] = [from.codePointAt(0)!, to.codePointAt(0)!];
  const written = first === last ? hex(first) : `${hex(first)}-${hex(last)}`;
  if (!ignoreCase) return written;
  return written + shifted(first, last, 0x41, 32) + shifted(first, last, 0x61, -32);
}

/**
 * Returns the part of a range that is among the 26 letters from `start` on, converted to the other
 * case.
 */
function shifted(first: number, last: number, start: number, distance: number): string {
  const from = Math.max(first, start);
  const to = Math.min(last, start + 25);
  return from > to ? '' : `${hex(from + distance)}-${hex(to + distance)}`;
}

function hex(code: number): string {
  return `\\u{${code.toString(16)}}`;
}

/** Returns a single character outside of classes. */
export function literalCharacter(character: string, flags: ClassFlags): string {
  const isLetter = /^[A-Za-z]$/.test(character);
  if (isLetter && flags.ignoreCase) return `[${character.toLowerCase()}${character.toUpperCase()}]`;
  return /^[A-Za-z0-9]$/.test(character) ? character : hex(character.codePointAt(0)!);
}
