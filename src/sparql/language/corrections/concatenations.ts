import { sparqlTokens } from '../tokens.ts';
import { closingAt, endOf, isWord, type Splice, spliced } from './splice.ts';

/**
 * GROUP_CONCAT returns a string without a language, but Oxigraph keeps a language that all members
 * share.
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
