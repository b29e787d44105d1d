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
      fc.constantFrom('', ' <http://example.org/g>', ' <urn:g:2>', ' _:a'),
    )
    .map(([triple, graph]) => `${triple}${graph}`),
);
