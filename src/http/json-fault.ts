/** The token that may come next. At `first …` the object or list may also end. */
type Next = 'value' | 'first value' | 'key' | 'first key' | 'colon' | 'comma' | 'nothing';

/**
 * Returns the index of the first character that makes a text invalid JSON (RFC 8259), or the text's
 * length if it is a valid beginning. `JSON.parse` seldom reports a position. This function is not
 * recursive, because a text may be nested as deeply as it is long.
 */
export function jsonFault(text: string): number {
  const scanner = new Scanner(text);
  const open: ('{' | '[')[] = [];
  let next: Next = 'value';
  const afterValue = () => (open.length === 0 ? 'nothing' : 'comma');
  for (scanner.space(); scanner.at < text.length; scanner.space()) {
    if (next === 'nothing') return scanner.at;
    if (open.length > 0 && mayEnd.has(next) && scanner.take(open.at(-1) === '{' ? '}' : ']')) {
      open.pop();
      next = afterValue();
    } else if (next === 'comma') {
      if (!scanner.take(',')) return scanner.at;
      next = open.at(-1) === '{' ? 'key' : 'value';
    } else if (next === 'colon') {
      if (!scanner.take(':')) return scanner.at;
      next = 'value';
    } else if (next === 'key' || next === 'first key') {
      if (!scanner.string()) return scanner.at;
      next = 'colon';
    } else if (scanner.take('{')) {
      open.push('{');
      next = 'first key';
    } else if (scanner.take('[')) {
      open.push('[');
      next = 'first value';
    } else {
      if (!scanner.scalar()) return scanner.at;
      next = afterValue();
    }
  }
  return text.length;
}

const mayEnd: ReadonlySet<Next> = new Set(['first value', 'first key', 'comma']);

/**
 * Methods that consume a token return false if it is not there. `at` is then the offset of the
 * wrong character.
 */
class Scanner {
  at = 0;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  space(): void {
    while (this.#isAt(' \n\r\t')) this.at++;
  }

  take(character: string): boolean {
    if (this.#text[this.at] !== character) return false;
    this.at++;
    return true;
  }

  scalar(): boolean {
    if (this.#isAt('"')) return this.string();
    if (this.#isAt('-0123456789')) return this.#number();
    const word = ['true', 'false', 'null'].find((each) => this.#isAt(each[0]!));
    return word !== undefined && [...word].every((character) => this.take(character));
  }

  string(): boolean {
    if (!this.take('"')) return false;
    while (!this.take('"')) {
      if (this.take('\\')) {
        if (!this.#escape()) return false;
      } else if (this.at >= this.#text.length || this.#text[this.at]! < ' ') return false;
      else this.at++;
    }
    return true;
  }

  #escape(): boolean {
    if (!this.take('u')) return this.#one('"\\/bfnrt');
    return [1, 2, 3, 4].every(() => this.#one('0123456789abcdefABCDEF'));
  }

  #number(): boolean {
    this.take('-');
    if (!this.take('0') && !this.#digits()) return false;
    if (this.take('.') && !this.#digits()) return false;
    if (!this.take('e') && !this.take('E')) return true;
    if (!this.take('+')) this.take('-');
    return this.#digits();
  }

  #digits(): boolean {
    const start = this.at;
    while (this.#isAt('0123456789')) this.at++;
    return this.at > start;
  }

  #one(characters: string): boolean {
    if (!this.#isAt(characters)) return false;
    this.at++;
    return true;
  }

  #isAt(characters: string): boolean {
    return this.at < this.#text.length && characters.includes(this.#text[this.at]!);
  }
}
