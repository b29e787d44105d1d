import { sparqlTokens } from '../tokens.ts';
import { closingAt, endOf, isWord, type Splice, spliced } from './splice.ts';

/**
 * GROUP_CONCAT gives a string without a language, where Oxigraph keeps one that all members have.
 */
export function withPlainConcatenations(text: string): string {
  const tokens = sparqlTokens(text);
  const splices = tokens.flatMap((token, at): Splice[] => {
    const close = isWord(token, 'GROUP_CONCAT') ? closingAt(tokens, at + 1) : undefined;
    if (close === undefined) return [];
    const end = endOf(tokens[close]!);
    return [{ start: token.start, end, text: `STR(${text.slice(token.start, end)})` }];
  });
  return spliced(text, splices);
}
