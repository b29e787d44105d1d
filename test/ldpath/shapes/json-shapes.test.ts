import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { IndexedGraph } from '../../../src/ldpath/evaluate/indexed-graph.ts';
import { formatTerm, literal, XSD } from '../../../src/rdf/model/term.ts';
import { errorOf, graphOf } from '../support.ts';
import { type Shaping, shapedPath, shapedProgram } from './support.ts';

const data = graphOf(`
  ex:a ex:name "Anna"@de ; ex:age 7 ; ex:weight 5.50, 1e3, "INF"^^xsd:double, "+1"^^xsd:integer ;
    ex:flag true, "0"^^xsd:boolean, "yes"^^xsd:boolean ; ex:knows ex:b, _:c ;
    ex:at "2012-03-04T05:06:07.089+02:00"^^xsd:dateTime, "2012-03-04T05:06:07"^^xsd:dateTime,
      "2012-03-04+02:00"^^xsd:date, "2012-02-31T00:00:00Z"^^xsd:dateTime .
  ex:b ex:name "\\"B\\"\\n\\\\\\u0001" .
`);
const PROGRAM = 'name = ex:name ; age = ex:age :: xsd:int (multiValued = "false") ; knows = ex:knows ;';

const lines = (text: string) =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
const one = (shaping: Partial<Shaping> & Pick<Shaping, 'format'>, program = PROGRAM) =>
  shapedProgram(data, program, { starts: ['a'], ...shaping });

test('plain values are JSON strings, numbers and booleans', () => {
  assert.deepEqual(lines(one({ format: 'values', starts: ['a', 'b'] })), [
    {
      uri: 'http://example.org/a',
      result: { name: ['Anna'], age: 7, knows: ['http://example.org/b', '_:c'] },
    },
    { uri: 'http://example.org/b', result: { name: ['"B"\n\\\u0001'], age: null, knows: [] } },
  ]);
  assert.deepEqual(lines(shapedPath(data, 'ex:age | ex:name', { format: 'values', starts: ['a'] })), [
    { uri: 'http://example.org/a', result: [7, 'Anna'] },
  ]);
});

test('only what JSON can express is a number or a boolean', () => {
  const values = (path: string) =>
    lines(shapedPath(data, path, { format: 'values', starts: ['a'] }))[0].result;
  assert.deepEqual(values('ex:weight'), [5.5, 1000, 'INF', '+1']);
  assert.deepEqual(values('ex:flag'), [true, false, 'yes']);
  const text = shapedPath(data, 'ex:weight', { format: 'values', starts: ['a'] });
  assert.match(text, /\[5\.50,1e3,/, 'digits are as in the data');
});

test('numbers that are too large or too long are strings', () => {
  const long = '1'.repeat(101);
  const graph = graphOf(`ex:a ex:p ${long}, 1e999, ${'2'.repeat(100)} .`);
  const text = shapedPath(graph, 'ex:p', { format: 'values', starts: ['a'] });
  assert.match(text, new RegExp(`\\["${long}","1e999",${'2'.repeat(100)}\\]`));
});

test('plain values have the values of @filter and @boost', () => {
  const program = `@filter ex:none ; @boost ex:age ; n = ex:none ;`;
  assert.deepEqual(lines(one({ format: 'values' }, program)), [
    { uri: 'http://example.org/a', result: { n: [] }, filter: false, boost: 7 },
  ]);
});

test('P-54: Solr gets an array of documents without empty fields', () => {
  assert.deepEqual(JSON.parse(one({ format: 'solr', starts: ['a', 'b'] })), [
    { id: 'http://example.org/a', name: ['Anna'], age: 7, knows: ['http://example.org/b', '_:c'] },
    { id: 'http://example.org/b', name: ['"B"\n\\\u0001'] },
  ]);
  assert.deepEqual(JSON.parse(one({ format: 'solr', starts: [] })), []);
});

test('P-54: Solr gets dates as instants of UTC', () => {
  const [document] = JSON.parse(one({ format: 'solr' }, 'at = ex:at ;'));
  assert.deepEqual(document.at, [
    '2012-03-04T03:06:07.089Z',
    '2012-03-04T05:06:07Z',
    '2012-03-04T00:00:00Z',
    '2012-02-31T00:00:00Z',
  ]);
});

test('the bulk interface gets an action and a document for each start resource', () => {
  assert.deepEqual(lines(one({ format: 'bulk', starts: ['a', 'b', 'nobody'] })), [
    { index: { _id: 'http://example.org/a' } },
    { name: ['Anna'], age: 7, knows: ['http://example.org/b', '_:c'] },
    { index: { _id: 'http://example.org/b' } },
    { name: ['"B"\n\\\u0001'] },
    { index: { _id: 'http://example.org/nobody' } },
    {},
  ]);
});

test('@boost is a field of documents for an index', () => {
  const program = '@boost ex:age ; n = ex:none ; m = ex:name ;';
  assert.deepEqual(JSON.parse(one({ format: 'solr' }, program)), [
    { id: 'http://example.org/a', m: ['Anna'], boost: 7 },
  ]);
  assert.deepEqual(lines(one({ format: 'bulk', starts: ['nobody'] }, program))[1], { boost: 1 });
});

test('a field whose name an index needs for itself is an error with its place', () => {
  const error = errorOf(() => one({ format: 'solr' }, 'name = ex:name ;\nid = ex:age ;'));
  assert.deepEqual([error.code, error.details.line, error.details.column], ['bad-arguments', 2, 1]);
  assert.match(error.message, /'id'/);
  const boost = '@boost ex:age ; boost = ex:age ;';
  assert.equal(errorOf(() => one({ format: 'bulk' }, boost)).code, 'bad-arguments');
  assert.deepEqual(lines(one({ format: 'bulk' }, 'id = ex:age ; boost = ex:age ;'))[1], {
    id: [7],
    boost: [7],
  });
});

test('P-55: JSON-LD has the fields as properties, with languages and datatypes', () => {
  const program = `${PROGRAM} <urn:x:at> = ex:age ; none = ex:none ;`;
  assert.deepEqual(JSON.parse(one({ format: 'jsonld' }, program)), {
    '@context': { '@vocab': 'urn:x-pathpool:field:' },
    '@graph': [
      {
        '@id': 'http://example.org/a',
        name: [{ '@value': 'Anna', '@language': 'de' }],
        age: { '@value': '7', '@type': `${XSD}int` },
        knows: [{ '@id': 'http://example.org/b' }, { '@id': '_:c' }],
        'urn:x:at': [{ '@value': '7', '@type': `${XSD}integer` }],
      },
    ],
  });
});

test('JSON-LD has directions, and triple terms as texts', () => {
  const term = '<<( <urn:s> <urn:p> "a\\"b" )>>';
  const graph = IndexedGraph.of(
    ['"x"@ar--rtl', '"y"@x', term].map((object) => ({ subject: '<urn:s>', predicate: '<urn:p>', object })),
  );
  const text = shapedPath(graph, '<urn:p>', { format: 'jsonld', starts: ['<urn:s>'] });
  assert.deepEqual(JSON.parse(text)['@graph'][0].value, [
    { '@value': 'x', '@language': 'ar', '@direction': 'rtl' },
    { '@value': 'y', '@language': 'x' },
    term,
  ]);
});

test('a start resource that JSON must escape is whole', () => {
  const start = '<urn:a"b\\c\n>';
  assert.equal(JSON.parse(one({ format: 'solr', starts: [start] }))[0].id, 'urn:a"b\\c\n');
  assert.equal(lines(one({ format: 'bulk', starts: ['_:b0'] }))[0].index._id, '_:b0');
});

test('every text is the same in all JSON formats', () => {
  const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }));
  fc.assert(
    fc.property(fc.uniqueArray(text, { minLength: 1, maxLength: 4 }), (texts) => {
      const object = (value: string) => formatTerm(literal(value));
      const quads = texts.map((each) => ({ subject: '<urn:s>', predicate: '<urn:p>', object: object(each) }));
      const of = (format: Shaping['format']) =>
        shapedPath(IndexedGraph.of(quads), '<urn:p>', { format, starts: ['<urn:s>'] });
      assert.deepEqual(lines(of('values'))[0].result, texts);
      assert.deepEqual(JSON.parse(of('solr'))[0].value, texts);
      assert.deepEqual(lines(of('bulk'))[1].value, texts);
      assert.deepEqual(JSON.parse(of('jsonld'))['@graph'][0].value, texts);
    }),
  );
});
