/** The tokens of SPARQL that the editor must tell apart. Other characters are skipped. */
export interface Token {
  readonly kind: 'comment' | 'string' | 'iri' | 'variable' | 'name' | 'word';
  readonly text: string;
  /** Offset in the text. */
  readonly from: number;
}

const patterns: readonly (readonly [Token['kind'], string])[] = [
  ['comment', '#[^\\n\\r]*'],
  ['iri', '<[^<>"{}|^`\\\\\\s]*>'],
  ['string', '"""(?:"{0,2}(?:[^"\\\\]|\\\\.))*(?:"""|$)'],
  ['string', "'''(?:'{0,2}(?:[^'\\\\]|\\\\.))*(?:'''|$)"],
  ['string', '"(?:[^"\\\\\\n\\r]|\\\\.)*"?'],
  ['string', "'(?:[^'\\\\\\n\\r]|\\\\.)*'?"],
  ['variable', '[?$][\\p{L}\\p{N}_]+'],
  [
    'name',
    '(?:_|\\p{L}(?:[\\p{L}\\p{N}_.-]*[\\p{L}\\p{N}_-])?)?:(?:[\\p{L}\\p{N}_.:%\\\\-]*[\\p{L}\\p{N}_:-])?',
  ],
  ['word', '@?[\\p{L}\\p{N}_-]+'],
];

const all = patterns.map(([, pattern]) => `(${pattern})`).join('|');

export function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  for (const match of text.matchAll(new RegExp(all, 'gsu'))) {
    const index = match.slice(1).findIndex((group) => group !== undefined);
    tokens.push({ kind: patterns[index]![0], text: match[0], from: match.index });
  }
  return tokens;
}
