/**
 * Parses regular expressions in the dialect of Java, in which programs are written (ldpath 5.8).
 * Java features that JavaScript can't express are errors: `\G` and `\N`.
 */
import {
  ANY,
  type ClassFlags,
  LINE_ENDS,
  literalCharacter,
  readCharacterClass,
  readClassEscape,
} from './character-class.ts';
import { PatternReader, PatternSyntaxError } from './pattern-reader.ts';
import {
  type Assertion,
  choice,
  propertyCount,
  repetition,
  sequence,
  set,
  sources,
  type Tree,
  textStart,
} from './tree.ts';

export interface ParsedPattern {
  readonly tree: Tree;
  /**
   * Whether case is also ignored for letters outside ASCII. The sets themselves contain both cases
   * of ASCII letters.
   */
  readonly ignoresCase: boolean;
  readonly groupCount: number;
  /** The numbers of the named groups. */
  readonly groupNames: ReadonlyMap<string, number>;
}

/**
 * The maximum number of properties in one pattern. V8 takes up to half a millisecond to compile
 * one, and can't be interrupted.
 */
const MAX_PROPERTIES = 256;
/** Java's own limit. */
const MAX_COUNT = 2 ** 31 - 1;

/**
 * @throws Error if the pattern is malformed or too complex
 */
export function parseJavaPattern(source: string): ParsedPattern {
  const parsed = new Parser(source).run();
  if (propertyCount(new Set(sources(parsed.tree))) > MAX_PROPERTIES)
    throw new PatternSyntaxError(`It contains more than ${MAX_PROPERTIES} Unicode properties`);
  return parsed;
}

interface Flags extends ClassFlags {
  /** `(?m)` */
  readonly multiline: boolean;
  /** `(?s)` */
  readonly dotAll: boolean;
  /** `(?x)` */
  readonly comments: boolean;
  /** `(?d)`: lines end with `\n` only. */
  readonly unixLines: boolean;
  /** `(?u)`: ignores the case of letters in all scripts. */
  readonly unicodeCase: boolean;
}

const flagNames: Readonly<Record<string, keyof Flags>> = {
  i: 'ignoreCase',
  m: 'multiline',
  s: 'dotAll',
  x: 'comments',
  d: 'unixLines',
  u: 'unicodeCase',
  U: 'unicodeClasses',
};

const noFlags: Flags = {
  ignoreCase: false,
  unicodeClasses: false,
  multiline: false,
  dotAll: false,
  comments: false,
  unixLines: false,
  unicodeCase: false,
};

/** Words contain the letters and digits of all scripts, unlike in JavaScript. */
const WORD = '[\\p{L}\\p{Nd}_]';
/** These refer to the whole text, since the flag `m` is never set. */
const START = textStart.source;
const END = '$';
const LAST_LINE_END = '(?:\\r\\n|(?<!\\r)\\n|[\\r\\u0085\\u2028\\u2029])';
const CARRIAGE_RETURN = set('\\r');
const NEWLINE = set('\\n');
const ANY_CHARACTER = set(ANY);
const lineBreak = choice(sequence(CARRIAGE_RETURN, NEWLINE), set(`[\\v\\f${LINE_ENDS}]`));

/** Escapes outside of classes that do not stand for characters. */
const escapes: Readonly<Record<string, Tree>> = {
  A: textStart,
  z: nearEnd(END),
  b: assertion(`(?<=${WORD})(?!${WORD})|(?<!${WORD})(?=${WORD})`),
  B: assertion(`(?<=${WORD})(?=${WORD})|(?<!${WORD})(?!${WORD})`),
  R: lineBreak,
  X: { kind: 'atomic', body: grapheme() },
};
/** Parts that depend on `(?d)`. */
const lines = {
  any: {
    dot: set(`[^${LINE_ENDS}]`),
    start: assertion(`${START}|(?<=[\\n\\u0085\\u2028\\u2029]|\\r(?!\\n))(?=${ANY})`),
    end: assertion(`(?=${LAST_LINE_END}|${END})`),
    textEnd: nearEnd(`(?=${LAST_LINE_END}?${END})`),
  },
  unix: {
    dot: set('[^\\n]'),
    start: assertion(`${START}|(?<=\\n)(?=${ANY})`),
    end: assertion(`(?=\\n|${END})`),
    textEnd: nearEnd(`(?=\\n?${END})`),
  },
};

function assertion(source: string): Assertion {
  return { kind: 'assertion', source };
}

function nearEnd(source: string): Assertion {
  return { kind: 'assertion', source, isNearEnd: true };
}

/** A grapheme: a flag, an emoji made of several characters, a letter with its accents. */
function grapheme(): Tree {
  const picture = set('\\p{ExtPict}');
  const marks = repetition(set('[\\p{M}\\p{EMod}]'), 0, Number.POSITIVE_INFINITY);
  const joined = sequence(marks, set('\\u200d'), picture);
  const base = choice(
    repetition(set('\\p{RI}'), 2, 2),
    sequence(picture, repetition(joined, 0, Number.POSITIVE_INFINITY)),
    set('[^\\p{Cc}]'),
  );
  const extensions = repetition(set('[\\p{M}\\p{EMod}\\u200d]'), 0, Number.POSITIVE_INFINITY);
  return choice(sequence(CARRIAGE_RETURN, NEWLINE), sequence(base, extensions), ANY_CHARACTER);
}

class Parser {
  readonly #reader: PatternReader;
  readonly #groupNames = new Map<string, number>();
  #groupCount = 0;
  #flags = noFlags;
  #ignoresCase = false;

  constructor(source: string) {
    this.#reader = new PatternReader(source);
  }

  run(): ParsedPattern {
    const tree = this.#alternatives();
    if (!this.#reader.atEnd) throw new PatternSyntaxError('Unmatched closing parenthesis');
    return {
      tree,
      ignoresCase: this.#ignoresCase,
      groupCount: this.#groupCount,
      groupNames: this.#groupNames,
    };
  }

  /** Reads up to the end of the group; flags that are set in it end with it. */
  #alternatives(): Tree {
    const flags = this.#flags;
    const options = [this.#alternative()];
    while (this.#reader.take('|')) options.push(this.#alternative());
    this.#flags = flags;
    return choice(...options);
  }

  #alternative(): Tree {
    const reader = this.#reader;
    const items: Tree[] = [];
    while (!reader.atEnd && !reader.at(')') && !reader.at('|')) this.#readPiece(items);
    return sequence(...items);
  }

  #readPiece(into: Tree[]): void {
    if (this.#skipComment() || this.#inlineFlags()) return;
    if (!this.#reader.at('\\Q')) {
      into.push(this.#quantified(this.#atom()));
      return;
    }
    const characters = [...this.#reader.quotation()].map((one) => this.#literal(one));
    const last = characters.pop();
    into.push(...characters);
    if (last !== undefined) into.push(this.#quantified(last));
  }

  #skipComment(): boolean {
    return this.#flags.comments && this.#reader.match(/\s+|#[^\r\n]*/y) !== null;
  }

  #literal(character: string): Tree {
    return set(literalCharacter(character, this.#flags));
  }

  #quantified(atom: Tree): Tree {
    while (this.#skipComment());
    const quantifier = this.#reader.match(/([*+?])|\{(\d+)(,(\d*))?\}/y);
    if (quantifier === null) return atom;
    const [min, max] = bounds(quantifier);
    if (min > MAX_COUNT) throw new PatternSyntaxError('The number in a quantifier is too large');
    if (max < min) throw new PatternSyntaxError('The bounds of a quantifier are in the wrong order');
    const lazy = this.#reader.take('?');
    const repeated = repetition(atom, min, max, lazy);
    return !lazy && this.#reader.take('+') ? { kind: 'atomic', body: repeated } : repeated;
  }

  #atom(): Tree {
    const reader = this.#reader;
    const character = reader.next();
    switch (character) {
      case '(':
        return this.#parenthesis();
      case '[':
        return set(readCharacterClass(reader, this.#flags));
      case '.':
        return this.#flags.dotAll ? ANY_CHARACTER : this.#lines.dot;
      case '^':
        return this.#flags.multiline ? this.#lines.start : textStart;
      case '$':
        return this.#flags.multiline ? this.#lines.end : this.#lines.textEnd;
      case '\\':
        return this.#escape();
      case '*':
      case '+':
      case '?':
      case '{':
        throw new PatternSyntaxError(`There is nothing to repeat before ${character}`);
      default:
        return this.#literal(character);
    }
  }

  get #lines() {
    return this.#flags.unixLines ? lines.unix : lines.any;
  }

  #escape(): Tree {
    const reader = this.#reader;
    if (reader.take('Z')) return this.#lines.textEnd;
    const named = reader.match(/k<([A-Za-z][A-Za-z0-9]*)>/y);
    if (named !== null) return this.#reference(this.#groupNames.get(named[1]!));
    const digit = reader.match(/[1-9]/y);
    if (digit !== null) return this.#reference(this.#groupNumber(Number(digit[0])));
    if (/^[AzbBRX]$/.test(reader.peek())) return escapes[reader.next()]!;
    const contents = readClassEscape(reader, this.#flags);
    return contents === null ? this.#literal(reader.escapedCharacter()) : set(contents);
  }

  /** Reads as many digits as form the number of an existing group. */
  #groupNumber(first: number): number {
    let number = first;
    while (/^[0-9]$/.test(this.#reader.peek())) {
      const longer = number * 10 + Number(this.#reader.peek());
      if (longer > this.#groupCount) break;
      this.#reader.next();
      number = longer;
    }
    return number;
  }

  /** Returns a reference; one to a missing group never matches. */
  #reference(group: number | undefined): Tree {
    if (group === undefined) throw new PatternSyntaxError('There is no group of this name');
    return group > this.#groupCount ? choice() : { kind: 'reference', group };
  }

  /** Reads a group after its opening parenthesis. */
  #parenthesis(): Tree {
    const reader = this.#reader;
    if (!reader.at('?')) return this.#capturing();
    const special = reader.match(/\?(?:(:)|(=|!|<=|<!)|(>)|<([A-Za-z][A-Za-z0-9]*)>)/y);
    if (special === null) return this.#withFlags();
    const [, plain, look, atomic, name] = special;
    if (plain !== undefined) return this.#closed();
    if (look !== undefined) return this.#look(look);
    if (atomic !== undefined) return { kind: 'atomic', body: this.#closed() };
    if (this.#groupNames.has(name!)) throw new PatternSyntaxError('Two groups have the same name');
    this.#groupNames.set(name!, this.#groupCount + 1);
    return this.#capturing();
  }

  #look(sign: string): Tree {
    const [ahead, negative] = [!sign.startsWith('<'), sign.endsWith('!')];
    return { kind: 'look', ahead, negative, body: this.#closed() };
  }

  /** `(?i:...)` */
  #withFlags(): Tree {
    const flags = this.#flags;
    this.#reader.take('?');
    this.#readFlags();
    if (!this.#reader.take(':')) throw new PatternSyntaxError('Unknown group type');
    const tree = this.#closed();
    this.#flags = flags;
    return tree;
  }

  #capturing(): Tree {
    const number = ++this.#groupCount;
    return { kind: 'group', number, body: this.#closed() };
  }

  #closed(): Tree {
    const tree = this.#reader.nested(() => this.#alternatives());
    if (!this.#reader.take(')')) throw new PatternSyntaxError('Unclosed group');
    return tree;
  }

  /** Reads `(?i)`, which applies from here to the end of the group. */
  #inlineFlags(): boolean {
    if (this.#reader.match(/\(\?(?=[A-Za-z]*(?:-[A-Za-z]*)?\))/y) === null) return false;
    this.#readFlags();
    return this.#reader.take(')');
  }

  #readFlags(): void {
    const [, on = '', off = ''] = this.#reader.match(/([A-Za-z]*)(?:-([A-Za-z]*))?/y)!;
    for (const letter of on) this.#setFlag(letter, true);
    for (const letter of off) this.#setFlag(letter, false);
    const { ignoreCase, unicodeCase, unicodeClasses } = this.#flags;
    this.#ignoresCase ||= ignoreCase && (unicodeCase || unicodeClasses);
  }

  #setFlag(letter: string, isOn: boolean): void {
    const name = flagNames[letter];
    if (name === undefined) throw new PatternSyntaxError(`There is no flag ${letter}`);
    this.#flags = { ...this.#flags, [name]: isOn };
  }
}

function bounds([, sign, min, comma, max]: RegExpExecArray): [min: number, max: number] {
  if (sign !== undefined) return [sign === '+' ? 1 : 0, sign === '?' ? 1 : Number.POSITIVE_INFINITY];
  if (comma === undefined) return [Number(min), Number(min)];
  return [Number(min), max === '' ? Number.POSITIVE_INFINITY : Number(max)];
}
