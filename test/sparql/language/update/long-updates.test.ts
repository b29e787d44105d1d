import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ErrorData } from '../../../../src/errors.ts';
import type { QuadBlock } from '../../../../src/rdf/model/quad-block.ts';
import type { UpdateOperation } from '../../../../src/sparql/language/update/operations.ts';
import { readUpdate } from '../../../../src/sparql/language/update/read-update.ts';
import { termOfBlock } from '../../../../src/store/graphs/block-terms.ts';

/** Makes a text long enough for the fast parser. */
const padding = `# ${'x'.repeat(70_000)}\n`;

function read(text: string) {
  return readUpdate({ text, baseIri: 'http://x/b/', dataset: undefined });
}

/** Returns operations without positions, and data as lines with numbered blank nodes. */
function plain(operations: readonly UpdateOperation[]): unknown[] {
  return operations.map((operation) => {
    if ('data' in operation) return { ...operation, data: lines(operation.data) };
    return { ...operation, place: undefined };
  });
}

function lines(block: QuadBlock): string[] {
  const nodes = new Map<string, string>();
  const shown = (index: number) => {
    if (index === 0xffffffff) return '';
    const text = termOfBlock(block, index);
    if (!text.startsWith('_:')) return text;
    if (!nodes.has(text)) nodes.set(text, `_:${nodes.size}`);
    return nodes.get(text)!;
  };
  return Array.from({ length: block.quads.length / 4 }, (_, row) =>
    Array.from(block.quads.subarray(4 * row, 4 * row + 4), shown).join(' '),
  );
}

function errorIn(text: string): unknown[] {
  try {
    read(text);
  } catch (error) {
    const { code, details } = error as ErrorData;
    return [code, details.line, details.column];
  }
  throw new Error(`It was read: ${text}`);
}

const texts = [
  'PREFIX a: <http://a/> INSERT DATA { a:s a:p 01, "x{y}"@en, true . GRAPH <g> { <s> a:p -1.5e0 ; a:q """}""" } . <t> <p> <o> GRAPH a:g { a:s <p> <o>. } }',
  "INSERT DATA { _:a <p> _:a . GRAPH <g> { _:a <p> _:b } } ; DELETE DATA { <a> <p> '#}' # comment }\n } ; DELETE { ?s ?p 1 } WHERE { ?s ?p ?o FILTER(?o<5) }",
  'BASE <http://y/> INSERT DATA { <a> <b> <c> } ; PREFIX p: <q#> INSERT DATA { p:a p:b p:c } ; CLEAR DEFAULT',
  'INSERT DATA {} ; INSERT DATA { GRAPH <g> {} }',
  'INSERT DATA { <a> <b> TRUE, "TRUE", trUe . GRAPH <g> { <TRUE> <b> False # TRUE\n } } ; DELETE DATA { <a> <b> FALSE }',
  'INSERT DATA { <a> <b> .5, -.5, +.5, .5e0 . <c> <d> 5. } ; DELETE DATA { <a> <b> .50 }',
];
for (const text of texts) {
  test(`a long update is parsed like a short one: ${text.slice(0, 50)}`, () => {
    assert.deepEqual(plain(read(padding + text)), plain(read(text)));
    assert.deepEqual(plain(read(text + padding)), plain(read(text)));
  });
}

test('data belong to their own operation, even if keywords are escaped', () => {
  const text = 'INSERT D\\u0041TA { <a1> <b> "\\u00e9" } ; DELETE DATA { <a2> <b> 2 }';
  assert.deepEqual(plain(read(padding + text)), plain(read(text)));
  const kinds = read(padding + text).map((operation) => operation.kind);
  assert.deepEqual(kinds, ['insert-data', 'delete-data']);
  assert.equal(errorIn(`${padding}INSERT INSERT DATA { <a> <b> 1 } ; CLEAR DEFAULT`)[0], 'parse-error');
});

test('every graph name in a long update is kept', () => {
  const [operation] = read(`${padding}INSERT DATA { GRAPH <urn:x-pathpool:no-graph> { <a> <b> <c> } }`);
  assert.ok(operation && 'data' in operation);
  assert.ok(lines(operation.data)[0]?.endsWith('<urn:x-pathpool:no-graph>'));
});

const invalidUpdates = [
  'INSERT DATA {\n GRAPH _:g { <a> <b> 1 } }',
  'INSERT DATA {\n GRAPH [] { <a> <b> 1 } }',
  'INSERT DATA { GRAPH {\n <a> <b> 1 } }',
  'PREFIX p: <urn:> INSERT DATA { GRAPH p:a\n p:b { <a> <b> 1 } }',
  'INSERT DATA {\n @prefix p: <urn:> . <a> <b> 1 }',
  'INSERT DATA {\n PREFIX p: <urn:> <a> <b> 1 }',
  'INSERT DATA { GRAPH <g> {\n @base <urn:> . <a> <b> 1 } }',
  'INSERT DATA {\n <a> <b> ?x }',
  'INSERT DATA { <a> <b> <c> ;\n <d> }',
  'INSERT DATA { <a> <b> <c> } ;\n CLEAR <a>',
  'INSERT DATA { <a> <b>\n <c> } DELETE WHERE { _:b ?p ?o }',
  'DELETE DATA {\n _:a <b> <c> }',
  'INSERT DATA {\n <a> <b> c:d }',
];
for (const text of invalidUpdates) {
  test(`a syntax error in a long update has a position: ${JSON.stringify(text)}`, () => {
    const [code, line, column] = errorIn(text + padding);
    const [shortCode, shortLine, shortColumn] = errorIn(text);
    assert.deepEqual([code, line], [shortCode, shortLine]);
    assert.ok(Math.abs(Number(column) - Number(shortColumn)) <= 6, `${column} ${shortColumn}`);
  });
}

test('a long update with invalid labels, brackets or ends of data is rejected', () => {
  const codes = [
    'INSERT DATA { _:a <b> 1 } ; INSERT DATA { _:a <b> 2 }',
    'DELETE DATA { [] <b> 1 }',
    'INSERT DATA { <a> <b> 1',
  ];
  for (const text of codes) assert.equal(errorIn(padding + text)[0], 'parse-error', text);
});

test('a long update with many operations other than data is rejected as too large', () => {
  const many = 'CLEAR SILENT DEFAULT ;\n'.repeat(200_000);
  assert.equal(errorIn(many)[0], 'too-large');
});

test('three megabytes of data are parsed without a syntax tree', () => {
  const rows = Array.from(
    { length: 50_000 },
    (_, i) => `<http://example.org/s${i}> <http://example.org/p> "value ${i}", ${i} .`,
  );
  const [operation] = read(`INSERT DATA { ${rows.join('\n')} }`);
  assert.ok(operation?.kind === 'insert-data');
  assert.equal(operation.data.quads.length / 4, 100_000);
});
