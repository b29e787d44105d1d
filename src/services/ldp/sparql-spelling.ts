import { formatLiteral, XSD } from '../../graph/term.ts';
import type { SparqlToken } from '../../sparql/language/tokens.ts';
import type { SparqlSegment } from './sparql-operations.ts';

const numbers: readonly (readonly [RegExp, string])[] = [
  [/^[0-9]+$/, 'integer'],
  [/^[0-9]*\.[0-9]+$/, 'decimal'],
  [/[eE]/, 'double'],
];

/** The literals with a datatype of XML Schema that stand in an update, in canonical form. */
export function literalsIn(segments: readonly SparqlSegment[]): string[] {
  return segments.flatMap(({ operations, declarations }) => {
    const namespaces = xsdPrefixes(declarations);
    return operations.flatMap(({ tokens }) =>
      tokens.flatMap((token, index) => literalAt(tokens, token, index, namespaces)),
    );
  });
}

function literalAt(
  tokens: readonly SparqlToken[],
  { kind, text }: SparqlToken,
  index: number,
  xsd: ReadonlySet<string>,
): string[] {
  if (kind === 'number') {
    const datatype = numbers.find(([pattern]) => pattern.test(text))![1];
    const sign = tokens[index - 1]?.text ?? '';
    const signed = sign === '-' || sign === '+' ? [`${sign}${text}`] : [];
    return [...signed, text].map((value) => formatLiteral(value, XSD + datatype, ''));
  }
  // Values that could be written in two ways need no escapes.
  if (kind !== 'string' || text.includes('\\') || tokens[index + 1]?.text !== '^') return [];
  const datatype = datatypeOf(tokens[index + 3], xsd);
  const quotes = /^("""|'''|"|')/.exec(text)![0].length;
  return datatype === null ? [] : [formatLiteral(text.slice(quotes, -quotes), datatype, '')];
}

function datatypeOf(token: SparqlToken | undefined, xsd: ReadonlySet<string>): string | null {
  if (token?.kind === 'iri' && token.text.startsWith(`<${XSD}`)) return token.text.slice(1, -1);
  const colon = token?.kind === 'name' ? token.text.indexOf(':') + 1 : 0;
  return colon > 0 && xsd.has(token!.text.slice(0, colon)) ? XSD + token!.text.slice(colon) : null;
}

/** The prefixes, with their colons, that stand for XML Schema. */
function xsdPrefixes(declarations: string): Set<string> {
  const lines = declarations.split('\n').map((line) => line.split(' '));
  return new Set(lines.filter(([, , namespace]) => namespace === `<${XSD}>`).map(([, prefix]) => prefix!));
}
