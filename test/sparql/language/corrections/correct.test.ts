import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Store } from 'oxigraph';
import { correctedQuery } from '../../../../src/sparql/language/corrections/correct.ts';
import { MAX_GRAPHS } from '../../../../src/sparql/language/corrections/graph-groups.ts';

const data = `<urn:a> <urn:p> <urn:b> .
<urn:g1> { <urn:a> <urn:p> <urn:b> . <urn:c> <urn:p> <urn:d> }
<urn:g2> { <urn:a> <urn:p> <urn:e> }`;

/**
 * Returns the rows that Oxigraph returns for the original and the corrected text: CSV without the
 * header, sorted.
 */
function rowsOf(text: string, trig = data): { readonly plain: string[]; readonly corrected: string[] } {
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

test('GROUP_CONCAT returns a string without a language, and keeps its members and separator', () => {
  const text = `SELECT (LANG(GROUP_CONCAT(DISTINCT ?o; SEPARATOR=")(")) AS ?l)
    (STR(GROUP_CONCAT(?o; SEPARATOR=")(")) AS ?s) { VALUES ?o { "1"@en "1"@en } }`;
  const { plain, corrected } = rowsOf(text);
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
    // Nodes of the data: not changed.
    ['<urn:a> <urn:p>* ?x', ['urn:a', 'urn:b'], ['urn:a', 'urn:b']],
    // A node that only another graph contains.
    ['<urn:c> <urn:p>* ?x', [], ['urn:c']],
    ['GRAPH ?g { <urn:none> <urn:p>* ?x }', [], ['urn:none', 'urn:none']],
    // Paths that cannot have length zero.
    ['<urn:none> <urn:p>+ ?x', [], []],
    ['<urn:none> <urn:q>/<urn:p>* ?x', [], []],
    // Bindings from outside of the path apply.
    ['?x <urn:p> ?y FILTER EXISTS { ?x <urn:p>* <urn:none> }', [], []],
  ];

for (const [pattern, plain, corrected] of paths) {
  test(`a path of length zero matches terms that the data do not contain: ${pattern}`, () => {
    assert.deepEqual(rowsOf(`SELECT ?x { ${pattern} }`), { plain, corrected });
  });
}

test('corrected paths use the prefixes and graphs that the query declares', () => {
  const text = 'PREFIX : <urn:> SELECT ?x FROM :g2 FROM NAMED :g1 WHERE { :c :p* ?x }';
  assert.deepEqual(rowsOf(text), { plain: [], corrected: ['urn:c'] });
});

test('a path beside other patterns of its subject is not changed', () => {
  const text = 'SELECT ?x { ?x <urn:p>* <urn:none> ; <urn:q> ?y }';
  const corrected = correctedQuery(text, () => 'false');
  assert.deepEqual(corrected, { ok: true, value: text });
});

test('a sub-query in GRAPH ?g is evaluated for each graph', () => {
  const text =
    'SELECT ?g ?c { GRAPH ?g { SELECT (COUNT(*) AS ?c) { ?s <urn:p> ?o FILTER(?o != <urn:e>) } } }';
  assert.deepEqual(rowsOf(text), { plain: [',2'], corrected: ['urn:g1,2', 'urn:g2,0'] });
});

test('corrections apply without white space, and with comments between words', () => {
  const text =
    'SELECT ?g ?c{OPTIONAL{}GRAPH#\n?g{SELECT(COUNT(*)AS?c){?s<urn:p>?o FILTER(?o!=<urn:e>)}}}LIMIT9';
  assert.deepEqual(rowsOf(text).corrected, ['urn:g1,2', 'urn:g2,0']);
  const path = 'SELECT ?x{<urn:none><urn:p>*#\n?x}';
  assert.deepEqual(rowsOf(path).corrected, ['urn:none']);
});

test('blank nodes of a sub-query in GRAPH ?g match within one graph', () => {
  const text = 'SELECT ?g ?s { GRAPH ?g { { SELECT ?s { ?s <urn:p> _:x } } } }';
  assert.deepEqual(rowsOf(text).corrected, ['urn:g1,urn:a', 'urn:g1,urn:c', 'urn:g2,urn:a']);
});

test('MINUS in GRAPH ?g removes nothing if its sides share no variable', () => {
  const text = 'SELECT ?a ?g { GRAPH ?g { ?a <urn:p> <urn:b> MINUS { ?b <urn:p> <urn:d> } } }';
  assert.deepEqual(rowsOf(text), { plain: [], corrected: ['urn:a,urn:g1'] });
  const shared = 'SELECT ?a ?g { GRAPH ?g { ?a <urn:p> ?x MINUS { ?a <urn:p> <urn:d> } } }';
  const { plain, corrected } = rowsOf(shared);
  assert.deepEqual(corrected, plain);
});

test('VALUES in GRAPH ?g apply to each graph', () => {
  const text = 'SELECT ?g ?t { GRAPH ?g { VALUES (?g ?t) { (UNDEF "x") (<urn:g1> "y") } } }';
  assert.deepEqual(rowsOf(text), {
    plain: [',x', 'urn:g1,y'],
    corrected: ['urn:g1,x', 'urn:g1,y', 'urn:g2,x'],
  });
});

test('a sub-query in GRAPH ?g has no solution without graphs, and is rejected for too many graphs', () => {
  const text = 'SELECT ?g { GRAPH ?g { SELECT (COUNT(*) AS ?c) { ?s ?p ?o } } }';
  assert.deepEqual(rowsOf(text, '<urn:a> <urn:p> <urn:b> .').corrected, []);
  const graphs = Array.from({ length: MAX_GRAPHS + 1 }, (_, number) => `<urn:g${number}>\n`);
  const rejected = correctedQuery(text, () => `?g\n${graphs.join('')}`);
  assert.equal(!rejected.ok && rejected.error.code, 'unsupported-sparql');
});

test('Oxigraph has enough stack for the maximum number of expanded graphs', () => {
  const text = 'SELECT ?g { GRAPH ?g { SELECT (COUNT(*) AS ?c) { ?s ?p ?o } } }';
  const graphs = Array.from({ length: MAX_GRAPHS }, (_, number) => `urn:g${number}`);
  const quads = graphs.map((graph) => `<${graph}> { <urn:s> <urn:p> <urn:o> }`).join('\n');
  assert.equal(rowsOf(text, quads).corrected.length, MAX_GRAPHS);
});

test('BNODE with an argument returns one node for each solution and argument', () => {
  const text = `SELECT ?s (BNODE(?s) = BNODE(?t) AS ?same) (STR(BNODE(?s)) AS ?none) (BNODE(?s) AS ?node)
    { VALUES (?s ?t) { ("x" "x") ("x" "y") ("y" "y") } }`;
  const { corrected, plain } = rowsOf(text);
  const nodes = (rows: readonly string[]) => new Set(rows.map((row) => row.split(',')[3]));
  assert.deepEqual(corrected.map((row) => row.split(',').slice(0, 3).join()).sort(), [
    'x,false,',
    'x,true,',
    'y,true,',
  ]);
  assert.deepEqual([nodes(corrected).size, nodes(plain).size], [3, 2]);
});

test('BNODE is not changed in groups, without an argument, or outside of the result columns', () => {
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

test('queries that need no correction are not changed', () => {
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
