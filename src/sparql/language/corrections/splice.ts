import type { SparqlToken } from '../token.ts';

/** A range of a text, and its replacement. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Applies splices, which must be in text order and must not overlap. */
export function spliced(text: string, splices: readonly Splice[]): string {
  let at = 0;
  const pieces: string[] = [];
  for (const splice of splices) {
    pieces.push(text.slice(at, splice.start), splice.text);
    at = splice.end;
  }
  return pieces.join('') + text.slice(at);
}

export function endOf({ start, text }: SparqlToken): number {
  return start + text.length;
}

export function isWord(token: SparqlToken | undefined, word: string): boolean {
  return token?.kind === 'word' && token.text.toUpperCase() === word;
}

const closing: Readonly<Record<string, string>> = { '(': ')', '{': '}' };

/**
 * Returns the index of the token that closes the bracket at an index; undefined if it is not
 * closed.
 */
export function closingAt(tokens: readonly SparqlToken[], opening: number): number | undefined {
  const open = tokens[opening]?.text ?? '';
  const close = closing[open];
  let depth = 0;
  for (let at = opening; at < tokens.length; at++) {
    const token = tokens[at]!;
    if (token.kind !== 'symbol') continue;
    if (token.text === open) depth++;
    else if (token.text === close && --depth === 0) return at;
  }
  return undefined;
}
