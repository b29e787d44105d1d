import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { IndexedGraph } from '../../../src/ldpath/evaluate/indexed-graph.ts';
import { formatLiteral, formatTerm, literal, XSD } from '../../../src/rdf/model/term.ts';
import { readCsv, readTsv, type Shaping, shapedPath, shapedProgram, splitCell } from './support.ts';

/** Not in the graph, so that the list in which it is cannot be written in groups. */
const ODD = 'odd one';

const text = fc.string({
  unit: fc.constantFrom('a', 'B', '1', ',', '|', '\\', '"', '\n', '\t', 'ü', '\u0001', ' '),
  maxLength: 12,
});
const typed = fc
  .tuple(
    fc.constantFrom('7', '05', '1e3', '.5', '123456789', '1234567890', 'true', '2012-03-04', 'x'),
    fc.constantFrom('integer', 'int', 'double', 'boolean', 'date', 'dateTime', 'anyURI'),
  )
  .map(([lexical, type]) => formatLiteral(lexical, XSD + type, ''));
const term = fc.oneof(
  text.map((value) => formatTerm(literal(value))),
  text.map((value) => formatLiteral(value, '', 'en-gb')),
  typed,
  fc.nat(300).map((n) => `<http://example.org/${n % 7 === 0 ? 'a,b' : 'n'}${n}>`),
  fc.nat(9).map((n) => `_:b${n}`),
  fc.nat(99).map((n) => formatLiteral(String(n), `${XSD}integer`, '')),
);
/** More than are written together. */
const terms = fc.uniqueArray(term, { minLength: 1, maxLength: 150, size: 'max' });

function graphWith(objects: readonly string[]): IndexedGraph {
  const subject = '<http://example.org/a>';
  return IndexedGraph.of(objects.map((object) => ({ subject, predicate: '<http://example.org/p>', object })));
}

const readers: Record<Shaping['format'], (body: string) => unknown[]> = {
  values: (body) => JSON.parse(body).result.v ?? JSON.parse(body).result,
  solr: (body) => JSON.parse(body)[0].v ?? JSON.parse(body)[0].value ?? [],
  bulk: (body) => JSON.parse(body.split('\n')[1]!).v ?? JSON.parse(body.split('\n')[1]!).value ?? [],
  'solr-documents': (body) => JSON.parse(body).result.v ?? JSON.parse(body).result.value ?? [],
  'bulk-documents': (body) => JSON.parse(body).result.v ?? JSON.parse(body).result.value ?? [],
  jsonld: (body) => JSON.parse(body)['@graph'][0].v ?? JSON.parse(body)['@graph'][0].value ?? [],
  csv: (body) => splitCell(readCsv(body)[1]![1]!, '|'),
  tsv: (body) => readTsv(body, '|')[1]![1]!,
};

for (const [format, read] of Object.entries(readers) as [Shaping['format'], (body: string) => unknown[]][]) {
  const shaping = { format, starts: ['a'] };
  const withoutOdd = (values: unknown[]) => values.filter((value) => value !== ODD);

  test(`${format}: values are the same in groups and one by one`, () => {
    fc.assert(
      fc.property(terms, (objects) => {
        const graph = graphWith(objects);
        const grouped = read(shapedPath(graph, 'ex:p', shaping));
        const single = read(shapedPath(graph, `ex:p | "${ODD}"`, shaping));
        assert.equal(single.length, objects.length + 1);
        assert.deepEqual(grouped, withoutOdd(single));
      }),
    );
  });

  for (const type of ['string', 'int'])
    test(`${format}: values converted to ${type} are the same in groups and one by one`, () => {
      fc.assert(
        fc.property(terms, (objects) => {
          const graph = graphWith(objects);
          const values = (path: string) =>
            read(shapedProgram(graph, `v = ${path} :: xsd:${type} ;`, shaping)).filter((v) => v !== '');
          const odd = type === 'int' ? '<urn:no-number>' : `"${ODD}"`;
          assert.deepEqual(withoutOdd(values('ex:p')), withoutOdd(values(`(ex:p | ${odd})`)));
        }),
      );
    });
}
