import type { UpdateSyntaxError } from './parser.ts';

/** Characters behind the place of an error that are looked at. */
const SHOWN = 20;

const begins =
  /^(?:<<|~|\{\||VERSION\b|(?:(?:is)?TRIPLE|SUBJECT|PREDICATE|OBJECT|(?:has|STR)?LANGDIR|hasLANG)\s*\()/i;

/**
 * Whether a text is at fault because it has what SPARQL 1.2 added: triple terms, annotations of
 * triples, and the direction of texts.
 */
export function isSparql12({ text, offset }: UpdateSyntaxError): boolean {
  const before = text.slice(Math.max(0, offset - 2), offset);
  const after = text.slice(offset, offset + SHOWN);
  return begins.test(after) || before === '--' || (before.endsWith('{') && after.startsWith('|'));
}
