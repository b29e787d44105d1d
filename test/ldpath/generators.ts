/** Random graphs and random programs over the same few names, for property tests. */
import fc from 'fast-check';
import { IndexedGraph } from '../../src/ldpath/evaluate/indexed-graph.ts';

const nodes = ['a', 'b', 'c', 'd'];
const properties = ['p', 'q', 'r'];
const literals = ['"x"', '"x"@en', '"x"@en-GB', '"7"^^<http://www.w3.org/2001/XMLSchema#integer>', '"12"'];

const iri = (name: string) => `<http://example.org/${name}>`;

export const graphs: fc.Arbitrary<IndexedGraph> = fc
  .array(
    fc.record({
      subject: fc.constantFrom(...nodes, 'p').map(iri),
      predicate: fc.constantFrom(
        ...properties.map(iri),
        '<http://www.w3.org/2000/01/rdf-schema#subPropertyOf>',
      ),
      object: fc.oneof(
        { weight: 3, arbitrary: fc.constantFrom(...nodes, 'q').map(iri) },
        { weight: 1, arbitrary: fc.constantFrom(...literals) },
      ),
    }),
    { minLength: 5, maxLength: 40 },
  )
  .map((quads) => IndexedGraph.of(quads));

export const starts: fc.Arbitrary<string> = fc.constantFrom(
  ...nodes.map(iri),
  ...nodes.map(iri),
  iri('unknown'),
  '"x"',
);

const property = fc.constantFrom(...properties.map((name) => `ex:${name}`));
const constant = fc.constantFrom(...literals, '17', '-2.5', 'true', '"new"', "'it\\'s'");

const choice = (...options: fc.Arbitrary<string>[]): fc.Arbitrary<string> =>
  fc.oneof({ depthSize: 'xsmall', withCrossShrink: true }, ...options);

/** A type, since an interface is no record. */
type Grammar = {
  selector: string;
  path: string;
  step: string;
  invertible: string;
  test: string;
};

const grammar = fc.letrec<Grammar>((tie) => ({
  selector: choice(
    tie('path'),
    fc.tuple(tie('path'), fc.constantFrom(' | ', ' & '), tie('selector')).map((parts) => parts.join('')),
  ),
  path: choice(
    tie('step'),
    fc.tuple(tie('step'), tie('path')).map((parts) => parts.join(' / ')),
  ),
  step: choice(
    property,
    property.map((name) => `^${name}`),
    fc.constantFrom('.', ' *', '^*', '*!(ex:p)', '^*!(ex:p | ex:q)', '~ex:q', '^~ex:q'),
    constant,
    tie('selector').map((inner) => `(${inner})`),
    fc
      .tuple(tie('step'), fc.constantFrom('+', '*', '?', '{2}', '{1,3}', '{,2}', '{1,}'))
      .map((parts) => parts.join('')),
    fc.tuple(tie('step'), tie('test')).map(([step, test]) => `${step}[${test}]`),
    tie('invertible').map((inner) => `^(${inner})`),
    fc.tuple(tie('selector'), tie('selector')).map(([a, b]) => `fn:first(${a}, ${b})`),
    tie('selector').map((inner) => `fn:count(${inner})`),
  ),
  invertible: choice(
    property,
    fc.constantFrom('.', ' *', '^ex:q', '*!(ex:p)', '~ex:q'),
    fc
      .tuple(tie('invertible'), fc.constantFrom(' / ', ' | ', ' & '), tie('invertible'))
      .map((parts) => parts.join('')),
    tie('invertible').map((inner) => `(${inner})+`),
    tie('invertible').map((inner) => `(${inner}){1,2}`),
    tie('invertible').map((inner) => `^(${inner})`),
  ),
  test: choice(
    tie('path'),
    fc.constantFrom(
      '@en',
      '@none',
      '@en*',
      '@EN-gb',
      '^^xsd:integer',
      '^^xsd:string',
      'is-a ex:a',
      'fn:eq(., "7")',
    ),
    fc
      .tuple(tie('selector'), fc.oneof(constant, fc.constantFrom('ex:a', 'ex:b')))
      .map((parts) => parts.join(' is ')),
    tie('test').map((inner) => `!${inner}`),
    tie('test').map((inner) => `(${inner})`),
    fc.tuple(tie('test'), fc.constantFrom(' & ', ' | '), tie('test')).map((parts) => parts.join('')),
  ),
}));

/** Texts of selectors; every construct of the language is among them. */
export const paths: fc.Arbitrary<string> = grammar.selector;
