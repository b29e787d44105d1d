import { beginsPrefix, endOfLocal, endOfPrefix, prefixStarts } from '../terminals.ts';

type Tokens = typeof import('@traqula/rules-sparql-1-1').lex;

/** What the lexer takes in the place of a regular expression. */
interface Pattern {
  readonly exec: (text: string, offset: number) => [image: string] | null;
}

const COLON = 0x3a;

/** White space and comments between two words, without two ways to read the same text. */
const SPACE = '(?:[\\t\\n\\r ]|#[^\\n]*\\n)+';

/**
 * Replaces patterns of the parser's lexer, before a parser is made. Its own take the square of the
 * length of `aaaa`, and twice the time for each more space between DELETE and a brace. They do not
 * take `.5`.
 */
export function correctPatterns({ terminals, ...words }: Tokens): void {
  terminals.decimal.PATTERN = /\d*\.\d+/;
  terminals.decimalPositive.PATTERN = /\+\d*\.\d+/;
  terminals.decimalNegative.PATTERN = /-\d*\.\d+/;
  words.deleteDataClause.PATTERN = new RegExp(`delete${SPACE}data`, 'i');
  words.deleteWhereClause.PATTERN = new RegExp(`delete${SPACE}where`, 'i');
  words.insertDataClause.PATTERN = new RegExp(`insert${SPACE}data`, 'i');
  const names = new Names();
  usePattern(terminals.pNameNs, (text, offset) => names.endOfNamespace(text, offset));
  usePattern(terminals.pNameLn, (text, offset) => names.endOfName(text, offset));
}

function usePattern(
  token: Tokens['terminals']['pNameNs' | 'pNameLn'],
  endOf: (text: string, offset: number) => number | undefined,
): void {
  const pattern: Pattern = {
    exec(text, offset) {
      const end = endOf(text, offset);
      return end === undefined ? null : [text.slice(offset, end)];
    },
  };
  // The types only know what the patterns of regular expressions give.
  token.PATTERN = pattern as NonNullable<typeof token.PATTERN>;
  token.LINE_BREAKS = false;
  token.START_CHARS_HINT = [COLON, ...prefixStarts()];
}

/** Looks for names with a prefix in one text after another. */
class Names {
  #text = '';
  /** No name begins in there: `a.b.c` without a colon is looked through once, not at each word. */
  #nameless: readonly [start: number, end: number] = [0, 0];

  /** Returns the end of the prefix at the offset, colon included; undefined without a prefix. */
  endOfNamespace(text: string, offset: number): number | undefined {
    if (text.charCodeAt(offset) === COLON) return offset + 1;
    if (!beginsPrefix(text, offset) || this.#isNameless(text, offset)) return undefined;
    const end = endOfPrefix(text, offset);
    if (text.charCodeAt(end) === COLON && text[end - 1] !== '.') return end + 1;
    this.#text = text;
    this.#nameless = [offset, end];
    return undefined;
  }

  /** Returns the end of the prefixed name at the offset; undefined without a local part. */
  endOfName(text: string, offset: number): number | undefined {
    const local = this.endOfNamespace(text, offset);
    const end = local && endOfLocal(text, local);
    return end === local ? undefined : end;
  }

  #isNameless(text: string, offset: number): boolean {
    const [start, end] = this.#nameless;
    return start <= offset && offset < end && text === this.#text;
  }
}
