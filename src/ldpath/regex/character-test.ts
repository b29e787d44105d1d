const ASCII_END = 0x80;
/** The number of characters beyond ASCII whose results are cached. */
const MAX_KEPT = 1000;
const YES = 1;
const NO = 2;

/**
 * Tests whether code points are in a set that is written in the syntax of JavaScript. V8 is asked
 * once for each code point.
 */
export class CharacterTest {
  readonly #source: string;
  readonly #flags: string;
  #pattern: RegExp | undefined;
  readonly #ascii = new Uint8Array(ASCII_END);
  readonly #others = new Map<number, boolean>();

  constructor(source: string, flags: string) {
    this.#source = source;
    this.#flags = flags;
  }

  has(code: number): boolean {
    if (code >= ASCII_END) return this.#hasOther(code);
    const known = this.#ascii[code]!;
    return known === 0 ? this.#learn(code) : known === YES;
  }

  #learn(code: number): boolean {
    const found = this.#ask(code);
    this.#ascii[code] = found ? YES : NO;
    return found;
  }

  #hasOther(code: number): boolean {
    const known = this.#others.get(code);
    if (known !== undefined) return known;
    if (this.#others.size === MAX_KEPT) this.#others.clear();
    const found = this.#ask(code);
    this.#others.set(code, found);
    return found;
  }

  #ask(code: number): boolean {
    this.#pattern ??= new RegExp(`^(?:${this.#source})$`, this.#flags);
    return this.#pattern.test(String.fromCodePoint(code));
  }
}

/** Compares UTF-16 units, ignoring case as references to groups do with the flag `i`. */
export function sameInAnyCase(): (a: number, b: number) => boolean {
  const tests = new Map<number, CharacterTest>();
  return (a, b) => {
    if (a === b) return true;
    let test = tests.get(a);
    if (test === undefined) {
      if (tests.size === MAX_KEPT) tests.clear();
      test = new CharacterTest(`\\u{${a.toString(16)}}`, 'iu');
      tests.set(a, test);
    }
    return test.has(b);
  };
}
