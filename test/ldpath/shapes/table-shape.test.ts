import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { IndexedGraph } from '../../../src/ldpath/evaluate/indexed-graph.ts';
import { formatTerm, literal } from '../../../src/rdf/model/term.ts';
import { graphOf } from '../support.ts';
import { readCsv, readTsv, shapedPath, shapedProgram, splitCell } from './support.ts';

const people = graphOf(`
  ex:anna ex:name "Anna"@de, "Anne"@fr ; ex:age 7 ; ex:knows ex:ben, _:c .
  ex:ben ex:name "Ben" ; ex:empty "" .
`);
const PROGRAM = 'name = ex:name ; age = ex:age :: xsd:integer ; knows = ex:knows ;';

test('CSV has a header row, a row for each start resource, and joins the values of a field', () => {
  assert.equal(
    shapedProgram(people, PROGRAM, { format: 'csv', starts: ['anna', 'ben'] }),
    'uri,name,age,knows\r\n' +
      'http://example.org/anna,Anna|Anne,7,http://example.org/ben|_:c\r\n' +
      'http://example.org/ben,Ben,,\r\n',
  );
});

test('TSV is the same with tabs', () => {
  assert.equal(
    shapedProgram(people, PROGRAM, { format: 'tsv', starts: ['ben'] }),
    'uri\tname\tage\tknows\nhttp://example.org/ben\tBen\t\t\n',
  );
});

test('the column of a path is called value', () => {
  assert.equal(
    shapedPath(people, 'ex:name', { format: 'csv', starts: ['anna'] }),
    'uri,value\r\nhttp://example.org/anna,Anna|Anne\r\n',
  );
});

test('the separator may be another character, also the comma', () => {
  const csv = (separator: string) =>
    shapedPath(people, 'ex:name', { format: 'csv', separator, starts: ['anna'] });
  assert.match(csv(';'), /,Anna;Anne\r\n$/);
  assert.match(csv(','), /,"Anna,Anne"\r\n$/);
});

test('an empty text is a quoted empty cell, and no value an empty one', () => {
  const source = 'empty = ex:empty ; none = ex:none ;';
  assert.match(shapedProgram(people, source, { format: 'csv', starts: ['ben'] }), /ben,"",\r\n$/);
});

test('a field with one value takes the first that converts, and escapes no separator', () => {
  const graph = graphOf('ex:a ex:p "1|2\\\\" ; ex:q "x", "3", "4" .');
  const of = (field: string) => shapedProgram(graph, field, { format: 'csv', starts: ['a'] });
  assert.match(of('p = ex:p (multiValued = "false") ;'), /a,1\|2\\\r\n$/);
  assert.match(of('q = ex:q :: xsd:integer (multiValued = "false") ;'), /a,3\r\n$/);
  assert.match(of('p = ex:p ;'), /a,1\\\|2\\\\\r\n$/);
});

test('a name with special characters is quoted or escaped in the header', () => {
  const source = '<urn:a,b> = ex:name ; "x\ty" ;';
  const rows = readCsv(shapedProgram(people, source, { format: 'csv', starts: [] }));
  assert.deepEqual(rows, [['uri', 'urn:a,b', 'x\ty']]);
  assert.equal(shapedProgram(people, source, { format: 'tsv', starts: [] }), 'uri\turn:a,b\tx\\ty\n');
});

test('formulas of spreadsheets are not altered', () => {
  const graph = graphOf('ex:a ex:p "=1+1", "@SUM(A1)", "-2" .');
  assert.match(shapedPath(graph, 'ex:p', { format: 'csv', starts: ['a'] }), /a,=1\+1\|@SUM\(A1\)\|-2\r\n$/);
});

test('text of the program and of functions is written like that of the data', () => {
  const source = `made = fn:concat("a,", ex:p) ; lone = fn:concat("\ud83d", ",") ;`;
  const graph = graphWith(['"b"\n']);
  const [, row] = readCsv(shapedProgram(graph, source, { format: 'csv', starts: ['a'] }));
  assert.deepEqual(row, ['http://example.org/a', 'a,"b"\n', '\ufffd,']);
});

test('huge values are whole', () => {
  const huge = `${'a,"\n'.repeat(100_000)}ü`;
  const graph = graphWith([huge]);
  const [, row] = readCsv(shapedPath(graph, 'ex:p', { format: 'csv', starts: ['a'] }));
  assert.equal(row![1], huge);
});

/** Texts with what CSV, TSV, N-Triples or JSON treats specially. */
const value = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '"',
        ',',
        '\t',
        '\n',
        '\r',
        '\\',
        '|',
        ';',
        '\b',
        '\f',
        '\0',
        '\x7f',
        '\u2028',
        '=',
        ' ',
      ),
      fc.string({ unit: 'grapheme', maxLength: 3 }),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(''));
const values = fc.uniqueArray(value, { minLength: 1, maxLength: 5 });

/** `ex:a` with these values of `ex:p`, in their order. */
function graphWith(texts: readonly string[]): IndexedGraph {
  const quads = texts.map((text) => ({
    subject: '<http://example.org/a>',
    predicate: '<http://example.org/p>',
    object: formatTerm(literal(text)),
  }));
  return IndexedGraph.of(quads);
}

test('a reader of RFC 4180 gets the values back', () => {
  fc.assert(
    fc.property(values, fc.constantFrom('|', ';', ',', ' ', 'n', 'u'), (texts, separator) => {
      const graph = graphWith(texts);
      const rows = readCsv(shapedPath(graph, 'ex:p', { format: 'csv', separator, starts: ['a', 'a'] }));
      assert.equal(rows.length, 3);
      assert.deepEqual(splitCell(rows[1]![1]!, separator), texts);
      const single = 'p = ex:p (multiValued = "FALSE") ;';
      const [, row] = readCsv(shapedProgram(graph, single, { format: 'csv', separator, starts: ['a'] }));
      assert.equal(row![1], texts[0]);
    }),
  );
});

test('a reader of TSV gets the values back', () => {
  fc.assert(
    fc.property(values, fc.constantFrom('|', ';', ',', ' '), (texts, separator) => {
      const text = shapedPath(graphWith(texts), 'ex:p', { format: 'tsv', separator, starts: ['a', 'a'] });
      const rows = readTsv(text, separator);
      assert.equal(rows.length, 3);
      assert.deepEqual(rows[1]![1], texts);
    }),
  );
});
