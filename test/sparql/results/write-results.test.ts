import assert from 'node:assert/strict';
import { test } from 'node:test';
import oxigraph from 'oxigraph';
import { toErrorData } from '../../../src/errors.ts';
import { XSD } from '../../../src/rdf/model/term.ts';
import { resultsFormats } from '../../../src/sparql/results/formats.ts';
import { type ResultsOptions, writeBoolean, writeResults } from '../../../src/sparql/results/write-results.ts';

const JSON_TYPE = 'application/sparql-results+json';
const XML_TYPE = 'application/sparql-results+xml';
const CSV_TYPE = 'text/csv';
const TSV_TYPE = 'text/tab-separated-values';

function write(tsv: string, mediaType: string, options: Partial<ResultsOptions> = {}): string {
  const all = { mediaType, order: undefined, spell: (term: string) => term, maxBytes: 1e6, ...options };
  return new TextDecoder('utf-8', { fatal: true }).decode(writeResults(tsv, all));
}

function tsvOf(query: string, turtle = ''): string {
  const store = new oxigraph.Store();
  store.load(turtle, { format: 'text/turtle' });
  const tsv = store.query(query, { results_format: 'tsv' });
  assert.ok(typeof tsv === 'string');
  return tsv;
}

type Row = Partial<Record<'s' | 'o' | 't' | 'x', { readonly type: string; readonly value: unknown }>>;

/** Returns the rows of a result in the JSON format. */
function rows(tsv: string, options?: Partial<ResultsOptions>): Row[] {
  return JSON.parse(write(tsv, JSON_TYPE, options)).results.bindings;
}

const kinds = tsvOf(`SELECT ?x {
  VALUES (?n ?x) {
    (1 <http://e/a?b&c=é>) (2 "plain") (3 "hé\\tl\\n\\r\\"\\\\'<&>,") (4 "chat"@fr-BE) (5 5) (6 -1.5) (7 true)
    (8 "2020-01-01"^^<${XSD}date>) (9 "x"^^<http://e/d&t>) (10 UNDEF) (11 "") (12 1e0)
  } } ORDER BY ?n`);

test('JSON contains every kind of term', () => {
  const literal = (value: string, datatype: string) => ({ type: 'literal', value, datatype });
  assert.deepEqual(JSON.parse(write(kinds, JSON_TYPE)), {
    head: { vars: ['x'] },
    results: {
      bindings: [
        { type: 'uri', value: 'http://e/a?b&c=é' },
        { type: 'literal', value: 'plain' },
        { type: 'literal', value: 'hé\tl\n\r"\\\'<&>,' },
        { type: 'literal', value: 'chat', 'xml:lang': 'fr-be' },
        literal('5', `${XSD}integer`),
        literal('-1.5', `${XSD}decimal`),
        literal('true', `${XSD}boolean`),
        literal('2020-01-01', `${XSD}date`),
        literal('x', 'http://e/d&t'),
        undefined,
        { type: 'literal', value: '' },
        literal('1', `${XSD}double`),
      ].map((x) => (x ? { x } : {})),
    },
  });
});

test('XML contains every kind of term, escaped', () => {
  const typed = (value: string, datatype: string) => `<literal datatype="${datatype}">${value}</literal>`;
  const terms = [
    '<uri>http://e/a?b&amp;c=é</uri>',
    '<literal>plain</literal>',
    '<literal>hé\tl\n&#xD;&quot;\\\'&lt;&amp;&gt;,</literal>',
    '<literal xml:lang="fr-be">chat</literal>',
    typed('5', `${XSD}integer`),
    typed('-1.5', `${XSD}decimal`),
    typed('true', `${XSD}boolean`),
    typed('2020-01-01', `${XSD}date`),
    typed('x', 'http://e/d&amp;t'),
    '',
    '<literal></literal>',
    typed('1', `${XSD}double`),
  ];
  const bound = terms.map((term) => (term === '' ? '' : `<binding name="x">${term}</binding>`));
  assert.equal(
    write(kinds, XML_TYPE),
    '<?xml version="1.0" encoding="UTF-8"?>\n' +
      '<sparql xmlns="http://www.w3.org/2005/sparql-results#">\n' +
      '<head><variable name="x"/></head>\n<results>\n' +
      bound.map((binding) => `<result>${binding}</result>\n`).join('') +
      '</results>\n</sparql>\n',
  );
});

test('CSV contains the values, quoted where necessary', () => {
  const values = ['http://e/a?b&c=é', 'plain', '"hé\tl\n\r""\\\'<&>,"', 'chat', '5', '-1.5', 'true', '2020-01-01'];
  assert.equal(write(kinds, CSV_TYPE), ['x', ...values, 'x', '', '', '1', ''].join('\r\n'));
});

test('TSV contains the terms, and numbers without quotes if the meaning is the same', () => {
  const terms = ['<http://e/a?b&c=é>', '"plain"', '"hé\\tl\\n\\r\\"\\\\\'<&>,"', '"chat"@fr-be', '5', '-1.5'];
  const typed = [`"true"^^<${XSD}boolean>`, `"2020-01-01"^^<${XSD}date>`, '"x"^^<http://e/d&t>'];
  assert.equal(write(kinds, TSV_TYPE), ['?x', ...terms, ...typed, '', '""', `"1"^^<${XSD}double>`, ''].join('\n'));
});

test('literals with a datatype or a language keep the spelling of the data', () => {
  const asked: string[] = [];
  const written = new Map([
    [`"1"^^<${XSD}integer>`, `"01"^^<${XSD}integer>`],
    [`"1.5"^^<${XSD}decimal>`, `"1.50"^^<${XSD}decimal>`],
    [`"1"^^<${XSD}decimal>`, `"1."^^<${XSD}decimal>`],
    [`"10"^^<${XSD}double>`, `"1e1"^^<${XSD}double>`],
    [`"2020-01-01T00:00:00Z"^^<${XSD}dateTime>`, `"2020-01-01T00:00:00+00:00"^^<${XSD}dateTime>`],
    ['"b"@en-us', '"b"@en-US'],
  ]);
  const spell = (term: string) => {
    asked.push(term);
    return written.get(term) ?? term;
  };
  const query = `SELECT * { VALUES ?x {
    1 1.5 1.0 1e1 "2020-01-01T00:00:00Z"^^<${XSD}dateTime> "b"@en-us 7 <http://e/> "a" false } }`;
  const tsv = tsvOf(query);
  assert.equal(
    write(tsv, TSV_TYPE, { spell }),
    `?x\n01\n1.50\n"1."^^<${XSD}decimal>\n1e1\n"2020-01-01T00:00:00+00:00"^^<${XSD}dateTime>\n"b"@en-US\n7\n` +
      `<http://e/>\n"a"\n"false"^^<${XSD}boolean>\n`,
  );
  assert.deepEqual(asked, [...written.keys(), `"7"^^<${XSD}integer>`, `"false"^^<${XSD}boolean>`]);
  const values = write(tsv, CSV_TYPE, { spell }).split('\r\n').slice(1, 6);
  assert.deepEqual(values, ['01', '1.50', '1.', '1e1', '2020-01-01T00:00:00+00:00']);
  assert.deepEqual(
    rows(tsv, { spell }).slice(0, 2).map(({ x }) => x!.value),
    ['01', '1.50'],
  );
});

test('computed values are written without change', () => {
  const spell = () => `"01"^^<${XSD}integer>`;
  const options = { spell, computed: new Set(['count']) };
  assert.equal(write('?n\t?count\n1\t1\n', TSV_TYPE, options), '?n\t?count\n01\t1\n');
});

test('columns have the requested order, and unbound variables keep their column', () => {
  const tsv = '?a\t?b\t?c\n1\t\t"c"\n\t2\t\n';
  const options = { order: ['c', 'gone', 'a', 'c'] };
  assert.equal(write(tsv, CSV_TYPE, options), 'c,a,b\r\nc,1,\r\n,,2\r\n');
  assert.deepEqual(JSON.parse(write(tsv, JSON_TYPE, options)).head.vars, ['c', 'a', 'b']);
  assert.deepEqual(rows(tsv, options).map(Object.keys), [['c', 'a'], ['b']]);
  assert.equal(write(tsv, CSV_TYPE), 'a,b,c\r\n1,,c\r\n,2,\r\n');
});

test('results without rows and rows without columns are written', () => {
  const noRows = tsvOf('SELECT ?a ?b { ?a ?b <http://e/none> }');
  assert.deepEqual(rows(noRows), []);
  assert.equal(write(noRows, CSV_TYPE), 'a,b\r\n');
  assert.match(write(noRows, XML_TYPE), /<results>\n<\/results>/);
  const noColumns = tsvOf('SELECT * {}');
  assert.deepEqual(JSON.parse(write(noColumns, JSON_TYPE)), { head: { vars: [] }, results: { bindings: [{}] } });
  assert.equal(write(noColumns, TSV_TYPE), '\n\n');
  assert.equal(write(noColumns, CSV_TYPE), '\r\n\r\n');
  assert.match(write(noColumns, XML_TYPE), /<head><\/head>\n<results>\n<result><\/result>\n<\/results>/);
});

test('a blank node has the same label in all rows', () => {
  const tsv = tsvOf('SELECT ?s ?o { ?s <http://e/p> ?o }', '_:a <http://e/p> _:a .');
  const [row] = rows(tsv);
  assert.equal(row!.s!.type, 'bnode');
  assert.deepEqual(row!.s, row!.o);
  const label = String(row!.s!.value);
  assert.equal(write(tsv, CSV_TYPE), `s,o\r\n_:${label},_:${label}\r\n`);
  assert.equal(write(tsv, TSV_TYPE), `?s\t?o\n_:${label}\t_:${label}\n`);
  assert.ok(write(tsv, XML_TYPE).includes(`<bnode>${label}</bnode>`));
});

test('control characters are escaped if the format allows it, and otherwise rejected', () => {
  const tsv = tsvOf('SELECT ?x { <http://e/s> ?p ?x }', '<http://e/s> <http://e/p> "a\\b\\f\\u0001\\u007fz" .');
  assert.equal(rows(tsv)[0]!.x!.value, 'a\b\f\u0001\u007fz');
  assert.equal(write(tsv, TSV_TYPE), '?x\n"a\\b\\f\\u0001\\u007Fz"\n');
  assert.equal(write(tsv, CSV_TYPE), 'x\r\na\b\f\u0001\u007fz\r\n');
  assert.throws(
    () => write(tsv, XML_TYPE),
    (error) => {
      const { code, message } = toErrorData(error);
      return code === 'not-acceptable' && message.includes('U+0008');
    },
  );
});

test('triple terms are written as in SPARQL 1.2', () => {
  const tsv = tsvOf('SELECT (<<( <http://e/s> <http://e/p> <<( <http://e/a> <http://e/b> "x y)"@en )>> )>> AS ?t) {}');
  const inner = {
    type: 'triple',
    value: {
      subject: { type: 'uri', value: 'http://e/a' },
      predicate: { type: 'uri', value: 'http://e/b' },
      object: { type: 'literal', value: 'x y)', 'xml:lang': 'en' },
    },
  };
  const outer = {
    subject: { type: 'uri', value: 'http://e/s' },
    predicate: { type: 'uri', value: 'http://e/p' },
    object: inner,
  };
  assert.deepEqual(rows(tsv), [{ t: { type: 'triple', value: outer } }]);
  assert.equal(write(tsv, TSV_TYPE), tsv);
  const xml = '<object><literal xml:lang="en">x y)</literal></object></triple></object></triple></binding>';
  assert.ok(write(tsv, XML_TYPE).includes(xml));
});

test('a result above the maximum number of bytes is rejected', () => {
  const tsv = '?x\n"ééé"\n';
  for (const { mediaType } of resultsFormats) {
    const bytes = Buffer.byteLength(write(tsv, mediaType));
    assert.equal(Buffer.byteLength(write(tsv, mediaType, { maxBytes: bytes })), bytes);
    assert.throws(
      () => write(tsv, mediaType, { maxBytes: bytes - 1 }),
      (error) => toErrorData(error).code === 'too-large',
    );
  }
});

test('long results contain the same rows as short ones', () => {
  const line = `<http://example.org/é>\t"${'x'.repeat(50)}"@en\t12\n`;
  const count = 20_000;
  const options = { maxBytes: 1e8 };
  const long = write(`?a\t?b\t?c\n${line.repeat(count)}`, CSV_TYPE, options).split('\r\n');
  const [head, row] = write(`?a\t?b\t?c\n${line}`, CSV_TYPE).split('\r\n');
  assert.equal(long.length, count + 2);
  assert.equal(long[0], head);
  assert.ok(long.slice(1, -1).every((each) => each === row));
  assert.equal(rows(`?a\t?b\t?c\n${line.repeat(count)}`, options).length, count);
});

test('the result of ASK is written in every format', () => {
  const text = (value: boolean, type: string) => Buffer.from(writeBoolean(value, type)).toString();
  assert.deepEqual(JSON.parse(text(true, JSON_TYPE)), { head: {}, boolean: true });
  assert.ok(text(false, XML_TYPE).includes('<head/>\n<boolean>false</boolean>\n</sparql>'));
  assert.equal(text(true, CSV_TYPE), 'true\r\n');
  assert.equal(text(false, TSV_TYPE), 'false\n');
  for (const { mediaType } of resultsFormats) {
    assert.equal(write(tsvOf('ASK {}'), mediaType), text(true, mediaType));
    assert.equal(write(tsvOf('ASK { FILTER(false) }'), mediaType), text(false, mediaType));
  }
});
