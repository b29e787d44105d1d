import type { UpdateSyntaxError } from './syntax-error.ts';

/** Characters inspected after the position of an error. */
const SHOWN = 20;

const begins =
  /^(?:<<|~|\{\||VERSION\b|(?:(?:is)?TRIPLE|SUBJECT|PREDICATE|OBJECT|(?:has|STR)?LANGDIR|hasLANG)\s*\()/i;

/**
 * Whether a text is invalid because it uses features of SPARQL 1.2: triple terms, annotations of
 * triples, or text direction.
 */
export function isSparql12({ text, offset }: UpdateSyntaxError): boolean {
  const before = text.slice(Math.max(0, offset - 2), offset);
  const after = text.slice(offset, offset + SHOWN);
  return begins.test(after) || before === '--' || (before.endsWith('{') && after.startsWith('|'));
}
