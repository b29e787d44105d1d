/** The parts of a literal in canonical N-Triples form. */
export interface LiteralParts {
  /** The text between the quotes, with its escapes. */
  readonly escaped: string;
  /** Empty if there is none. */
  readonly language: string;
  /** Empty if there is none. */
  readonly direction: string;
  /** Empty for strings, with or without a language. */
  readonly datatype: string;
}

const AT = 0x40;

export function literalParts(term: string): LiteralParts {
  const close = term.lastIndexOf('"');
  const escaped = term.slice(1, close);
  if (close === term.length - 1) return { escaped, language: '', direction: '', datatype: '' };
  if (term.charCodeAt(close + 1) !== AT) {
    return { escaped, language: '', direction: '', datatype: term.slice(close + 4, -1) };
  }
  const [language = '', direction = ''] = term.slice(close + 2).split('--', 2);
  return { escaped, language, direction, datatype: '' };
}

/** Decodes the text between the quotes of a literal in canonical form. */
export function unescaped(escaped: string): string {
  return escaped.includes('\\') ? (JSON.parse(`"${escaped}"`) as string) : escaped;
}
