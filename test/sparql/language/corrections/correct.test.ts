import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Store } from 'oxigraph';
import { correctedQuery } from '../../../../src/sparql/language/corrections/correct.ts';
import { MAX_GRAPHS } from '../../../../src/sparql/language/corrections/graph-groups.ts';

const data = `<urn:a> <urn:p> <urn:b> .
<urn:g1> { <urn:a> <urn:p> <urn:b> . <urn:c> <urn:p> <urn:d> }
<urn:g2> { <urn:a> <urn:p> <urn:e> }`;

/**
 * Rows of CSV without the head, sorted, as Oxigraph gives them for the text and for the corrected
 * one.
 */
function answers(text: string, trig = data): { readonly plain: string[]; readonly corrected: string[] } {
  const store = new Store();
  store.load(trig, { format: 'application/trig' });
  const table = (query: string) => String(store.query(query, { results_format: 'tsv' }));
  const rows = (query: string) =>
    String(store.query(query, { results_format: 'csv' }))
      .split(/\r?\n/)
      .slice(1, -1)
      .sort();
  const corrected = correctedQuery(text, table);
  assert.ok(corrected.ok);
  return { plain: rows(text), corrected: rows(corrected.value) };
}

test('GROUP_CONCAT has no language, and keeps its members and its separator', () => {
  const text = `SELECT (LANG(GROUP_CONCAT(DISTINCT ?o; SEPARATOR=")(")) AS ?l)
    (STR(GROUP_CONCAT(?o; SEPARATOR=")(")) AS ?s) { VALUES ?o { "1"@en "1"@en } }`;
  const { plain, corrected } = answers(text);
  assert.deepEqual(plain, ['en,1)(1']);
  assert.deepEqual(corrected, [',1)(1']);
});

const paths: readonly (readonly [pattern: string, plain: readonly string[], corrected: readonly string[]])[] =
  [
    ['<urn:none> <urn:p>* ?x', [], ['urn:none']],
    ['?x <urn:p>? <urn:none>', [], ['urn:none']],
    ['?x ^(<urn:p>/<urn:q>)* <urn:none> . FILTER(isIRI(?x))', [], ['urn:none']],
    ['VALUES ?x { 1 } <urn:none> <urn:p>* <urn:none>', [], ['1']],
    ['VALUES ?x { 1 } <urn:none> <urn:p>* <urn:a>', [], []],
    // Of the data: as it was.
    ['<urn:a> <urn:p>* ?x', ['urn:a', 'urn:b'], ['urn:a', 'urn:b']],
    // In another graph alone.
    ['<urn:c> <urn:p>* ?x', [], ['urn:c']],
    ['GRAPH ?g { <urn:none> <urn:p>* ?x }', [], ['urn:none', 'urn:none']],
    // Not of length zero.
    ['<urn:none> <urn:p>+ ?x', [], []],
    ['<urn:none> <urn:q>/<urn:p>* ?x', [], []],
    // What is bound elsewhere decides.
    ['?x <urn:p> ?y FILTER EXISTS { ?x <urn:p>* <urn:none> }', [], []],
  ];

for (const [pattern, plain, corrected] of paths) {
  test(`a path of length zero: ${pattern}`, () => {
    assert.deepEqual(answers(`SELECT ?x { ${pattern} }`), { plain, corrected });
  });
}

test('the names and graphs that a query declares are those of its paths too', () => {
  const text = 'PREFIX : <urn:> SELECT ?x FROM :g2 FROM NAMED :g1 WHERE { :c :p* ?x }';
  assert.deepEqual(answers(text), { plain: [], corrected: ['urn:c'] });
});

test('a pattern with other patterns of the same subject is left as it is', () => {
  const text = 'SELECT ?x { ?x <urn:p>* <urn:none> ; <urn:q> ?y }';
  const corrected = correctedQuery(text, () => 'false');
  assert.deepEqual(corrected, { ok: true, value: text });
});

test('a sub-query in GRAPH ?g is evaluated in one graph after the other', () => {
  const text =
    'SELECT ?g ?c { GRAPH ?g { SELECT (COUNT(*) AS ?c) { ?s <urn:p> ?o FILTER(?o != <urn:e>) } } }';
  assert.deepEqual(answers(text), { plain: [',2'], corrected: ['urn:g1,2', 'urn:g2,0'] });
});

test('what is corrected may stand without white space, and with comments between its words', () => {
  const text =
    'SELECT ?g ?c{OPTIONAL{}GRAPH#\n?g{SELECT(COUNT(*)AS?c){?s<urn:p>?o FILTER(?o!=<urn:e>)}}}LIMIT9';
  assert.deepEqual(answers(text).corrected, ['urn:g1,2', 'urn:g2,0']);
  const path = 'SELECT ?x{<urn:none><urn:p>*#\n?x}';
  assert.deepEqual(answers(path).corrected, ['urn:none']);
});

test('blank nodes of a sub-query in GRAPH ?g are nodes of one graph each', () => {
  const text = 'SELECT ?g ?s { GRAPH ?g { { SELECT ?s { ?s <urn:p> _:x } } } }';
  assert.deepEqual(answers(text).corrected, ['urn:g1,urn:a', 'urn:g1,urn:c', 'urn:g2,urn:a']);
});

test('MINUS in GRAPH ?g removes nothing where its sides have no variable in common', () => {
  const text = 'SELECT ?a ?g { GRAPH ?g { ?a <urn:p> <urn:b> MINUS { ?b <urn:p> <urn:d> } } }';
  assert.deepEqual(answers(text), { plain: [], corrected: ['urn:a,urn:g1'] });
  const shared = 'SELECT ?a ?g { GRAPH ?g { ?a <urn:p> ?x MINUS { ?a <urn:p> <urn:d> } } }';
  const { plain, corrected } = answers(shared);
  assert.deepEqual(corrected, plain);
});

test('VALUES in GRAPH ?g hold in each graph', () => {
  const text = 'SELECT ?g ?t { GRAPH ?g { VALUES (?g ?t) { (UNDEF "x") (<urn:g1> "y") } } }';
  assert.deepEqual(answers(text), {
    plain: [',x', 'urn:g1,y'],
    corrected: ['urn:g1,x', 'urn:g1,y', 'urn:g2,x'],
  });
});

test('a sub-query in GRAPH ?g has no answer without graphs, and is refused for too many', () => {
  const text = 'SELECT ?g { GRAPH ?g { SELECT (COUNT(*) AS ?c) { ?s ?p ?o } } }';
  assert.deepEqual(answers(text, '<urn:a> <urn:p> <urn:b> .').corrected, []);
  const graphs = Array.from({ length: MAX_GRAPHS + 1 }, (_, number) => `<urn:g${number}>\n`);
  const refused = correctedQuery(text, () => `?g\n${graphs.join('')}`);
  assert.equal(!refused.ok && refused.error.code, 'unsupported-sparql');
});

test('Oxigraph has the stack for as many graphs as are written out', () => {
  const text = 'SELECT ?g { GRAPH ?g { SELECT (COUNT(*) AS ?c) { ?s ?p ?o } } }';
  const graphs = Array.from({ length: MAX_GRAPHS }, (_, number) => `urn:g${number}`);
  const quads = graphs.map((graph) => `<${graph}> { <urn:s> <urn:p> <urn:o> }`).join('\n');
  assert.equal(answers(text, quads).corrected.length, MAX_GRAPHS);
});

test('BNODE of a text is one node in each solution', () => {
  const text = `SELECT ?s (BNODE(?s) = BNODE(?t) AS ?same) (STR(BNODE(?s)) AS ?none) (BNODE(?s) AS ?node)
    { VALUES (?s ?t) { ("x" "x") ("x" "y") ("y" "y") } }`;
  const { corrected, plain } = answers(text);
  const nodes = (rows: readonly string[]) => new Set(rows.map((row) => row.split(',')[3]));
  assert.deepEqual(corrected.map((row) => row.split(',').slice(0, 3).join()).sort(), [
    'x,false,',
    'x,true,',
    'y,true,',
  ]);
  assert.deepEqual([nodes(corrected).size, nodes(plain).size], [3, 2]);
});

test('BNODE is left as it is in groups, without a text, and where it is not in the columns', () => {
  const texts = [
    'SELECT (BNODE() AS ?b) { ?s ?p ?o }',
    'SELECT ?x (BNODE(?x) AS ?b) { ?s ?p ?x } GROUP BY ?x',
    'SELECT ?b { BIND(BNODE("x") AS ?b) }',
    'SELECT (BNODE(?x) AS ?b) { SELECT ?x { ?s ?p ?x } }',
  ];
  for (const value of texts) {
    assert.deepEqual(
      correctedQuery(value, () => 'false'),
      { ok: true, value },
    );
  }
});

test('what needs no correction stays as it is', () => {
  const texts = [
    'SELECT * { ?s ?p ?o } ORDER BY ?s LIMIT 10',
    'ASK { GRAPH ?g { ?s ?p ?o . FILTER(?o > 2 * 3) } }',
    'SELECT (COUNT(*) AS ?c) { ?s <urn:p>/<urn:q> "GROUP_CONCAT" }',
    'not SPARQL GROUP_CONCAT( GRAPH ?g { SELECT',
  ];
  for (const value of texts) {
    assert.deepEqual(
      correctedQuery(value, () => 'false'),
      { ok: true, value },
    );
  }
});
