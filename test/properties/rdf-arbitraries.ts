import fc from 'fast-check';
import {
  blankNode,
  formatTerm,
  iri,
  languageLiteral,
  literal,
  type Term,
  XSD,
} from '../../src/rdf/model/term.ts';

/** IRIs with everything that is difficult for writers, also in namespaces that are abbreviated. */
const iris = [
  'http://example.org/a',
  'http://example.org/a%20b',
  "http://example.org/é?x=1&y='2'#frag",
  'http://example.org/path/',
  'http://example.org/日本/語',
  'urn:example:a:b',
  'mailto:someone@example.org',
  'http://xmlns.com/foaf/0.1/Person',
  'http://xmlns.com/foaf/0.1/-dash',
  'http://xmlns.com/foaf/0.1/a.b',
  'http://xmlns.com/foaf/0.1/1st',
  'http://xmlns.com/foaf/0.1/',
  'http://purl.org/dc/terms/title',
  'http://www.w3.org/1999/02/22-rdf-syntax-ns#nil',
  'http://schema.org/a/b',
  // These look like prefixes of the table with local names.
  'geo:37.8,-122.4',
  'foaf:name',
];

/** IRIs that RDF/XML has names for, too. */
const predicates = [
  'http://www.w3.org/1999/02/22-rdf-syntax-ns#type',
  'http://www.w3.org/1999/02/22-rdf-syntax-ns#first',
  'http://xmlns.com/foaf/0.1/name',
  'http://example.org/été',
  'http://example.org/?a=1&b=c',
  'urn:example:_x',
  'http://example.org/12ab',
  'http://example.org/ns#a.b-c',
  'dct:title',
];

const nasty = fc.constantFrom(
  '"',
  '\\',
  '\n',
  '\r',
  '\r\n',
  '\t',
  '<',
  '>',
  '&',
  ']]>',
  '"""',
  "'",
  '\\u0041',
  ' ',
  '  ',
  '@en',
  '^^',
  '\u00a0',
  '\u2028',
  '\ufeff',
  '😀',
  'é',
  '\u007f',
);
const beyondXml = fc.constantFrom('\u0000', '\b', '\f', '\u001f', '\ufffe', '\uffff');

function textOf(...pieces: fc.Arbitrary<string>[]): fc.Arbitrary<string> {
  return fc.array(fc.oneof(...pieces), { maxLength: 8 }).map((parts) => parts.join(''));
}

const word = fc.string({ maxLength: 6 });
const numbers = fc.constantFrom(
  '0',
  '007',
  '+1',
  '-5',
  '1.5',
  '.5',
  '5.',
  '-0.0',
  '1e5',
  'true',
  'false',
  'abc',
  '',
);
const datatypes = fc.constantFrom(
  `${XSD}integer`,
  `${XSD}decimal`,
  `${XSD}double`,
  `${XSD}boolean`,
  `${XSD}string`,
  'http://example.org/ns#type',
  'skos:notation',
  'http://www.w3.org/1999/02/22-rdf-syntax-ns#JSON',
);
const languages = fc.constantFrom('en', 'de-at', 'zh-hant', 'EN-GB');

function literals(text: fc.Arbitrary<string>): fc.Arbitrary<Term> {
  return fc.oneof(
    text.map((value) => literal(value)),
    fc.tuple(fc.oneof(text, numbers), datatypes).map(([value, datatype]) => literal(value, datatype)),
    fc.tuple(text, languages).map(([value, language]) => languageLiteral(value, language)),
  );
}

const anyIri = fc.constantFrom(...iris).map(iri);
const anyBlank = fc.constantFrom('a', 'b1', '0', '_c').map(blankNode);
const anyPredicate = fc.constantFrom(...predicates).map(iri);

function triples(text: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc
    .tuple(fc.oneof(anyIri, anyBlank), anyPredicate, fc.oneof(anyIri, anyBlank, literals(text)))
    .map((terms) => terms.map(formatTerm).join(' '));
}

function linesOf(line: fc.Arbitrary<string>): fc.Arbitrary<string[]> {
  return fc.array(
    line.map((text) => `${text} .`),
    { maxLength: 12 },
  );
}

/** Lines of canonical N-Triples. */
export const tripleLines: fc.Arbitrary<string[]> = linesOf(triples(textOf(word, nasty, beyondXml)));

/** The same without what XML cannot hold. */
export const xmlTripleLines: fc.Arbitrary<string[]> = linesOf(triples(textOf(word, nasty)));

/** Lines of canonical N-Quads. */
export const quadLines: fc.Arbitrary<string[]> = linesOf(
  fc
    .tuple(
      triples(textOf(word, nasty, beyondXml)),
      fc.constantFrom('', ' <http://example.org/g>', ' <urn:g:2>', ' _:a', ' <geo:1,2>'),
    )
    .map(([triple, graph]) => `${triple}${graph}`),
);

const RDF_FIRST = '<http://www.w3.org/1999/02/22-rdf-syntax-ns#first>';
const RDF_REST = '<http://www.w3.org/1999/02/22-rdf-syntax-ns#rest>';
const RDF_NIL = '<http://www.w3.org/1999/02/22-rdf-syntax-ns#nil>';

/** A value, as written if it is a text; a list; or a node with these values of one property. */
type Shape = string | { readonly list: Shape[] } | { readonly node: Shape[] };

const { shape } = fc.letrec<{ shape: Shape }>((tie) => ({
  shape: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom('<urn:i>', '"x"', '"5"^^<http://www.w3.org/2001/XMLSchema#integer>', RDF_NIL),
    fc.array(tie('shape'), { maxLength: 3 }).map((list) => ({ list })),
    fc.array(tie('shape'), { minLength: 1, maxLength: 2 }).map((node) => ({ node })),
  ),
}));

/** Writes the quads of a shape; returns the term that stands for it. */
function written(value: Shape, lines: string[], next: () => string): string {
  if (typeof value === 'string') return value;
  if ('node' in value) {
    const node = next();
    for (const each of value.node) lines.push(`${node} <urn:p> ${written(each, lines, next)}`);
    return node;
  }
  let rest = RDF_NIL;
  for (const item of value.list.toReversed()) {
    const node = next();
    lines.push(`${node} ${RDF_FIRST} ${written(item, lines, next)}`, `${node} ${RDF_REST} ${rest}`);
    rest = node;
  }
  return rest;
}

/** At most so many, since all orders of blank nodes are tried in comparisons. */
const MAX_NODES = 6;

const anyNode = fc.constantFrom('_:n0', '_:n1', '_:n2', '_:n3');
/** Quads that make lists and nested nodes malformed, or close circles. */
const disturbance = fc
  .tuple(
    fc.oneof(anyNode, fc.constant('<urn:s>')),
    fc.constantFrom('<urn:p>', '<urn:q>', RDF_FIRST, RDF_REST),
    fc.oneof(anyNode, fc.constantFrom(RDF_NIL, '"y"')),
  )
  .map((terms) => terms.join(' '));

const nestedTriples: fc.Arbitrary<string[]> = fc
  .tuple(fc.array(shape, { minLength: 1, maxLength: 3 }), fc.array(disturbance, { maxLength: 2 }))
  .map(([shapes, disturbances]) => {
    const lines: string[] = [];
    let nodes = 0;
    const next = () => `_:n${nodes++}`;
    for (const each of shapes) lines.push(`<urn:s> <urn:p> ${written(each, lines, next)}`);
    return [...new Set([...lines, ...disturbances])];
  })
  .filter((lines) => new Set(lines.join(' ').match(/_:n\d+/g)).size <= MAX_NODES);

/** Lines of N-Triples with lists and nested nodes, some of them malformed. */
export const nestedTripleLines: fc.Arbitrary<string[]> = nestedTriples.map((lines) =>
  lines.map((line) => `${line} .`),
);

/** The same in several graphs, most of them in the first. */
export const nestedQuadLines: fc.Arbitrary<string[]> = fc
  .tuple(nestedTriples, fc.infiniteStream(fc.constantFrom('', '', '', ' <urn:g>', ' _:n1')))
  .map(([lines, graphs]) => lines.map((line) => `${line}${graphs.next().value} .`));
