/**
 * Regular expressions in the dialect of Java, which programs are written in (ldpath 5.8), as those of JavaScript.
 *
 * Groups get names, so that those which the translation adds for `*+` and `(?>...)` change no number. What Java has and
 * JavaScript cannot do is an error: `\G` and `\N`.
 */
import {
  type ClassFlags,
  LINE_ENDS,
  literalCharacter,
  readCharacterClass,
  readClassEscape,
} from './java-character-class.ts';
import { PatternReader, PatternSyntaxError } from './java-pattern-reader.ts';

export interface JavaPattern {
  /** With the flag `g`. Its group `g1` is the first one. */
  readonly regExp: RegExp;
  readonly groupCount: number;
  /** Numbers of those groups that have names. */
  readonly groupNames: ReadonlyMap<string, number>;
}

/** @throws Error when it is none */
export function translateJavaPattern(source: string): JavaPattern {
  return new Translation(source).run();
}

/** Of a match: what a group found, if it took part. */
export function groupText(match: RegExpMatchArray, group: number): string | undefined {
  return group === 0 ? match[0] : match.groups![`g${group}`];
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
  /** `(?u)`: case is that of all scripts. */
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

/** Letters and digits of all scripts make words, unlike in JavaScript. */
const WORD = '[\\p{L}\\p{Nd}_]';
/** Of all of the text, since the flag `m` is never given. */
const START = '^';
const END = '$';
const LAST_LINE_END = `(?:\\r\\n|(?<!\\r)\\n|[\\r\\u0085\\u2028\\u2029])`;

/** Escapes outside of classes that are no characters; in groups, because Java lets all of them be repeated. */
const anchors: Readonly<Record<string, string>> = {
  A: `(?:${START})`,
  z: `(?:${END})`,
  b: `(?:(?<=${WORD})(?!${WORD})|(?<!${WORD})(?=${WORD}))`,
  B: `(?:(?<=${WORD})(?=${WORD})|(?<!${WORD})(?!${WORD}))`,
  R: `(?:\\r\\n|[\\v\\f${LINE_ENDS}])`,
};
/** What depends on `(?d)`. */
const lines = {
  any: {
    dot: `[^${LINE_ENDS}]`,
    start: `(?:${START}|(?<=[\\n\\u0085\\u2028\\u2029]|\\r(?!\\n))(?=[^]))`,
    end: `(?:(?=${LAST_LINE_END}|${END}))`,
    textEnd: `(?:(?=${LAST_LINE_END}?${END}))`,
  },
  unix: {
    dot: '[^\\n]',
    start: `(?:${START}|(?<=\\n)(?=[^]))`,
    end: `(?:(?=\\n|${END}))`,
    textEnd: `(?:(?=\\n?${END}))`,
  },
};
/** What readers take for one character: a flag, a picture made of several, a letter with its accents. */
const GRAPHEME =
  '(?:\\r\\n|(?:\\p{RI}{2}|\\p{ExtPict}(?:[\\p{M}\\p{EMod}]*\\u200d\\p{ExtPict})*|[^\\p{Cc}])[\\p{M}\\p{EMod}\\u200d]*|[^])';

class Translation {
  readonly #reader: PatternReader;
  readonly #groupNames = new Map<string, number>();
  #groupCount = 0;
  #atomicCount = 0;
  #flags = noFlags;
  #foldsCase = false;

  constructor(source: string) {
    this.#reader = new PatternReader(source);
  }

  run(): JavaPattern {
    const translated = this.#alternatives();
    if (!this.#reader.atEnd) throw new PatternSyntaxError('A parenthesis is closed that was not opened');
    const regExp = new RegExp(translated, this.#foldsCase ? 'giv' : 'gv');
    return { regExp, groupCount: this.#groupCount, groupNames: this.#groupNames };
  }

  /** Up to the end of the group; flags that are set in it end with it. */
  #alternatives(): string {
    const reader = this.#reader;
    const flags = this.#flags;
    const parts: string[] = [];
    while (!reader.atEnd && !reader.at(')')) parts.push(reader.take('|') ? '|' : this.#piece());
    this.#flags = flags;
    return parts.join('');
  }

  #piece(): string {
    if (this.#skipComment() || this.#inlineFlags()) return '';
    if (!this.#reader.at('\\Q')) return this.#quantified(this.#atom());
    const characters = [...this.#reader.quotation()].map((one) => literalCharacter(one, this.#flags));
    const last = characters.pop();
    return last === undefined ? '' : characters.join('') + this.#quantified(last);
  }

  #skipComment(): boolean {
    return this.#flags.comments && this.#reader.match(/\s+|#[^\r\n]*/y) !== null;
  }

  #quantified(atom: string): string {
    while (this.#skipComment());
    const quantifier = this.#reader.match(/[*+?]|\{\d+(?:,\d*)?\}/y)?.[0];
    if (quantifier === undefined) return atom;
    if (this.#reader.take('?')) return `${atom}${quantifier}?`;
    return this.#reader.take('+') ? this.#atomic(`${atom}${quantifier}`) : atom + quantifier;
  }

  /** Never tried again once it has matched: what a look-ahead found is read as it stands. */
  #atomic(translated: string): string {
    const name = `a${++this.#atomicCount}`;
    return `(?:(?=(?<${name}>${translated}))\\k<${name}>)`;
  }

  #atom(): string {
    const reader = this.#reader;
    const character = reader.next();
    switch (character) {
      case '(':
        return this.#parenthesis();
      case '[':
        return readCharacterClass(reader, this.#flags);
      case '.':
        return this.#flags.dotAll ? '[^]' : this.#lines.dot;
      case '^':
        return this.#flags.multiline ? this.#lines.start : anchors['A']!;
      case '$':
        return this.#flags.multiline ? this.#lines.end : this.#lines.textEnd;
      case '\\':
        return this.#escape();
      case '*':
      case '+':
      case '?':
      case '{':
        throw new PatternSyntaxError(`Nothing stands before ${character}`);
      default:
        return literalCharacter(character, this.#flags);
    }
  }

  get #lines() {
    return this.#flags.unixLines ? lines.unix : lines.any;
  }

  #escape(): string {
    const reader = this.#reader;
    if (reader.take('X')) return this.#atomic(GRAPHEME);
    if (reader.take('Z')) return this.#lines.textEnd;
    const named = reader.match(/k<([A-Za-z][A-Za-z0-9]*)>/y);
    if (named !== null) return this.#reference(this.#groupNames.get(named[1]!));
    const digit = reader.match(/[1-9]/y);
    if (digit !== null) return this.#reference(this.#groupNumber(Number(digit[0])));
    const anchor = /^[AzbBR]$/.test(reader.peek()) ? anchors[reader.next()] : undefined;
    return (
      anchor ??
      readClassEscape(reader, this.#flags) ??
      literalCharacter(reader.escapedCharacter(), this.#flags)
    );
  }

  /** As many digits as make the number of a group that is there. */
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

  /** A group that does not exist matches nothing. */
  #reference(group: number | undefined): string {
    if (group === undefined) throw new PatternSyntaxError('There is no group of this name');
    return group > this.#groupCount ? '(?:(?!))' : `\\k<g${group}>`;
  }

  /** After the parenthesis. */
  #parenthesis(): string {
    const reader = this.#reader;
    if (!reader.at('?')) return this.#capturing();
    const special = reader.match(/\?(?:(:|=|!|<=|<!)|(>)|<([A-Za-z][A-Za-z0-9]*)>)/y);
    if (special === null) return this.#withFlags();
    const [, kind, atomic, name] = special;
    if (kind === ':') return `(?:${this.#closed()})`;
    if (kind !== undefined) return `(?:(?${kind}${this.#closed()}))`;
    if (atomic !== undefined) return this.#atomic(this.#closed());
    if (this.#groupNames.has(name!)) throw new PatternSyntaxError('Two groups have one name');
    this.#groupNames.set(name!, this.#groupCount + 1);
    return this.#capturing();
  }

  /** `(?i:...)` */
  #withFlags(): string {
    const flags = this.#flags;
    this.#reader.take('?');
    this.#readFlags();
    if (!this.#reader.take(':')) throw new PatternSyntaxError('A group begins with something unknown');
    const translated = this.#closed();
    this.#flags = flags;
    return `(?:${translated})`;
  }

  #capturing(): string {
    const name = `g${++this.#groupCount}`;
    return `(?<${name}>${this.#closed()})`;
  }

  #closed(): string {
    const translated = this.#alternatives();
    if (!this.#reader.take(')')) throw new PatternSyntaxError('A parenthesis is not closed');
    return translated;
  }

  /** `(?i)`: from here to the end of the group. */
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
    this.#foldsCase ||= ignoreCase && (unicodeCase || unicodeClasses);
  }

  #setFlag(letter: string, isOn: boolean): void {
    const name = flagNames[letter];
    if (name === undefined) throw new PatternSyntaxError(`There is no flag ${letter}`);
    this.#flags = { ...this.#flags, [name]: isOn };
  }
}
