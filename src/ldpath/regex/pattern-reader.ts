/** The error for a malformed regular expression. */
export class PatternSyntaxError extends Error {
  override readonly name = 'PatternSyntaxError';
}

/** The maximum nesting of groups and classes. */
const MAX_DEPTH = 50;

/** A position in the source of a regular expression in Java's dialect. Reads whole characters. */
export class PatternReader {
  readonly #source: string;
  #at = 0;
  #depth = 0;

  constructor(source: string) {
    this.#source = source;
  }

  get atEnd(): boolean {
    return this.#at >= this.#source.length;
  }

  at(text: string): boolean {
    return this.#source.startsWith(text, this.#at);
  }

  take(text: string): boolean {
    const found = this.at(text);
    if (found) this.#at += text.length;
    return found;
  }

  /** Returns the next character; empty at the end. */
  peek(): string {
    return this.atEnd ? '' : String.fromCodePoint(this.#source.codePointAt(this.#at)!);
  }

  next(): string {
    if (this.atEnd) throw new PatternSyntaxError('Unexpected end');
    const character = this.peek();
    this.#at += character.length;
    return character;
  }

  /** `pattern` is sticky. */
  match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#source);
    if (match !== null) this.#at += match[0].length;
    return match;
  }

  /** Reads the contents of brackets or parentheses. */
  nested<T>(read: () => T): T {
    if (++this.#depth > MAX_DEPTH) throw new PatternSyntaxError('It is nested too deeply');
    const result = read();
    this.#depth--;
    return result;
  }

  /** Reads `\Q...\E`; the `\E` may be missing. */
  quotation(): string {
    this.take('\\Q');
    return this.match(/([\s\S]*?)(?:\\E|$(?![\s\S]))/y)![1]!;
  }

  /**
   * Returns the character for the escape after a backslash. A letter without a meaning is an error.
   */
  escapedCharacter(): string {
    const numeric = this.match(/0([0-3]?[0-7]{1,2})|x([\da-fA-F]{2})|x\{([\da-fA-F]{1,6})\}/y);
    if (numeric !== null)
      return character(
        numeric[1] === undefined
          ? Number.parseInt(numeric[2] ?? numeric[3]!, 16)
          : Number.parseInt(numeric[1], 8),
      );
    const units = this.match(/(u[\da-fA-F]{4})(?:\\(u[\da-fA-F]{4}))?/y);
    if (units !== null) return this.#unicode(units);
    if (this.take('c')) return String.fromCodePoint(this.next().codePointAt(0)! ^ 64);
    const letter = this.next();
    const meant = controls[letter];
    if (meant !== undefined) return meant;
    if (/^[A-Za-z0-9]$/.test(letter)) throw new PatternSyntaxError(`\\${letter} has no meaning`);
    return letter;
  }

  /** Returns one unit, or a surrogate pair; a second unit that does not form a pair is put back. */
  #unicode([whole, first, second]: RegExpExecArray): string {
    const unit = (text: string) => String.fromCharCode(Number.parseInt(text.slice(1), 16));
    const pair = unit(first!) + (second === undefined ? '' : unit(second));
    if ([...pair].length === 1) return pair;
    this.#at -= whole.length - first!.length;
    return unit(first!);
  }
}

const controls: Readonly<Record<string, string>> = {
  t: '\t',
  n: '\n',
  r: '\r',
  f: '\f',
  a: '\u0007',
  e: '\u001b',
};

function character(code: number): string {
  if (code > 0x10ffff) throw new PatternSyntaxError('There is no such character');
  return String.fromCodePoint(code);
}
