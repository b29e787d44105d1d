import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ErrorData } from '../../../../src/errors.ts';
import type { ModifyOperation } from '../../../../src/sparql/language/update/operations.ts';
import { readUpdate } from '../../../../src/sparql/language/update/read-update.ts';
import type { SparqlDataset } from '../../../../src/sparql/request.ts';
import { termOfBlock } from '../../../../src/store/graphs/block-terms.ts';

const integer = (written: string) => `"${written}"^^<http://www.w3.org/2001/XMLSchema#integer>`;

function read(text: string, dataset?: SparqlDataset) {
  return readUpdate({ text, baseIri: 'http://x/b/', dataset });
}

function modifyIn(text: string, dataset?: SparqlDataset): ModifyOperation {
  const [operation] = read(text, dataset);
  assert.equal(operation?.kind, 'modify');
  return operation as ModifyOperation;
}

function errorIn(text: string, dataset?: SparqlDataset): ErrorData & Error {
  try {
    read(text, dataset);
  } catch (error) {
    return error as ErrorData & Error;
  }
  throw new Error(`The update was accepted: ${text}`);
}

test('declarations apply to the text after them, and relative IRIs are resolved', () => {
  const [first, second] = read(`PREFIX a: <http://a/> INSERT { ?s a:p <x> } WHERE { ?s a:p ?o } ;
    BASE <http://y/> PREFIX a: <c#> DELETE { ?s a:p <x> } WHERE { ?s a:q ?o }`) as ModifyOperation[];
  assert.deepEqual(first?.additions[0]?.predicate, { kind: 'constant', text: '<http://a/p>' });
  assert.deepEqual(first?.additions[0]?.object, { kind: 'constant', text: '<http://x/b/x>' });
  assert.deepEqual(second?.removals[0]?.predicate, { kind: 'constant', text: '<http://y/c#p>' });
  assert.equal(first?.prologue, 'BASE <http://x/b/>\nPREFIX a: <http://a/>\n');
  assert.equal(second?.prologue, 'BASE <http://y/>\nPREFIX a: <http://y/c#>\n');
});

test('templates keep graphs, variables, spellings of literals, collections and brackets', () => {
  const { additions, where } = modifyIn(
    'INSERT { GRAPH ?g { ?s <p> 01, "a"@EN, _:b } ?s <p> (1), [ <q> true ] } WHERE { GRAPH ?g { ?s ?p ?o } }',
  );
  const texts = additions.map(({ object, graph }) => [
    object.kind === 'constant' ? object.text : object.kind,
    graph?.kind,
  ]);
  const rdf = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';
  assert.deepEqual(texts, [
    [integer('01'), 'variable'],
    ['"a"@EN', 'variable'],
    ['blank', 'variable'],
    ['blank', undefined],
    [integer('1'), undefined],
    [`<${rdf}nil>`, undefined],
    ['blank', undefined],
    ['"true"^^<http://www.w3.org/2001/XMLSchema#boolean>', undefined],
  ]);
  assert.equal(where, '{ GRAPH ?g { ?s ?p ?o } }');
});

test('DELETE WHERE uses its template as its pattern', () => {
  const { removals, where, named } = modifyIn(
    'DELETE # where {\n WHERE { ?s ?p ?o . GRAPH <g> { ?s ?p 1 } }',
  );
  assert.equal(removals.length, 2);
  assert.equal(where, '{?s ?p ?o . GRAPH <g> { ?s ?p 1 } }');
  assert.deepEqual(named, ['http://x/b/g']);
});

test('WITH, USING and the graphs that a pattern names are returned', () => {
  const operation = modifyIn(
    'WITH <w> DELETE { ?s ?p ?o } USING <u> USING NAMED <n> WHERE { GRAPH <g> { ?s ?p ?o FILTER EXISTS { GRAPH <h> {} } } }',
  );
  assert.equal(operation.withGraph, 'http://x/b/w');
  assert.deepEqual(operation.using, { defaultGraphs: ['http://x/b/u'], namedGraphs: ['http://x/b/n'] });
  assert.deepEqual([...operation.named].sort(), ['http://x/b/g', 'http://x/b/h']);
});

test('graphs of the request act like USING, and are an error together with USING or WITH', () => {
  const dataset = { defaultGraphs: ['urn:d'], namedGraphs: [] };
  assert.deepEqual(modifyIn('DELETE WHERE { ?s ?p ?o }', dataset).using, dataset);
  assert.equal(errorIn('DELETE { ?s ?p ?o } USING <u> WHERE { ?s ?p ?o }', dataset).code, 'bad-query');
  assert.equal(errorIn('WITH <w> DELETE { ?s ?p ?o } WHERE { ?s ?p ?o }', dataset).code, 'bad-query');
});

test('data are returned as quads with their graphs and the spellings of terms', () => {
  const [operation] = read('INSERT DATA { <a> <p> 01 . GRAPH <g> { _:b <p> "x" } }');
  assert.ok(operation?.kind === 'insert-data');
  const { data } = operation;
  const texts = Array.from(data.quads, (index) => (index === 0xffffffff ? null : termOfBlock(data, index)));
  assert.deepEqual(texts.slice(0, 4), ['<http://x/b/a>', '<http://x/b/p>', integer('01'), null]);
  assert.deepEqual(texts.slice(5), ['<http://x/b/p>', '"x"', '<http://x/b/g>']);
  assert.match(texts[4] ?? '', /^_:/);
});

test('graph management operations are parsed', () => {
  const text = `CLEAR SILENT ALL ; DROP NAMED ; CLEAR DEFAULT ; DROP GRAPH <g> ; CREATE SILENT GRAPH <g> ;
    COPY DEFAULT TO <g> ; MOVE SILENT <a> TO DEFAULT ; ADD GRAPH <a> TO GRAPH <b> ; LOAD SILENT <a>;`;
  assert.deepEqual(read(text), [
    { kind: 'clear', silent: true, target: 'all' },
    { kind: 'drop', silent: false, target: 'named' },
    { kind: 'clear', silent: false, target: 'default' },
    { kind: 'drop', silent: false, target: { graph: 'http://x/b/g' } },
    { kind: 'create', silent: true, graph: 'http://x/b/g' },
    { kind: 'copy', silent: false, from: undefined, to: 'http://x/b/g' },
    { kind: 'move', silent: true, from: 'http://x/b/a', to: undefined },
    { kind: 'add', silent: false, from: 'http://x/b/a', to: 'http://x/b/b' },
    { kind: 'nothing' },
  ]);
  assert.deepEqual(read(''), []);
});

const invalidUpdates: readonly (readonly [text: string, code: string, line: number, column: number])[] = [
  ['INSERT DATA {\n <a> <b> ?x }', 'parse-error', 2, 10],
  ['INSERT DATA { <a> <b>', 'parse-error', 1, 22],
  ['INSERT DATA { <a> <b>\n c:d }', 'parse-error', 2, 2],
  ['INSERT DATA { <a> <b> "x\n" }', 'parse-error', 1, 23],
  ['INSERT DATA { "a" <b> "x" }', 'parse-error', 1, 15],
  ['DELETE DATA { _:a <b> <c> }', 'parse-error', 1, 15],
  ['DELETE { [] ?p ?o } WHERE { ?s ?p ?o }', 'parse-error', 1, 10],
  ['DELETE WHERE {\n [ <q> ?x ] <p> ?o }', 'parse-error', 2, 2],
  ['DELETE WHERE { GRAPH <g> { ?s ?p 1 . ( ?x ) <p> ?o } }', 'parse-error', 1, 38],
  ['DELETE WHERE { ?s ?p ?o . [ <q> ?x ] }', 'parse-error', 1, 27],
  ['DELETE { ?s ?p 1 . [ <q> ?x ] <p> ?o } WHERE { ?s ?p ?o }', 'parse-error', 1, 20],
  ['DELETE { ?s ?p [ <q> 1 ] } WHERE { ?s ?p ?o }', 'parse-error', 1, 16],
  ['DELETE DATA { [ <q> 5 ] <p> <o> }', 'parse-error', 1, 15],
  ['DELETE DATA { GRAPH <g> { ( 5 ) <p> <o> } }', 'parse-error', 1, 27],
  ['DELETE { ?s ?p ?o } WHERE { ?s ?p ?o } }', 'parse-error', 1, 40],
  ['DELETE WHERE { _:b ?p ?o }', 'parse-error', 1, 16],
  ['DELETE { ?s ?p ?o } WHERE {\n ?s ?p ?o BIND(1 AS ?o) }', 'parse-error', 2, 21],
  ['SELECT * { ?s ?p ?o }', 'parse-error', 1, 1],
  ['CLEAR <a>', 'parse-error', 1, 7],
  ['INSERT DATA { <a> <b> "\\uD800" }', 'parse-error', 1, 24],
  ['INSERT DATA { <a> <b>\n <\\u003E> }', 'parse-error', 2, 3],
  ['INSERT DATA { <a> <b>\n my-p.x:d }', 'parse-error', 2, 2],
  ['INSERT DATA { <a> <b>\n "x"@en-ninechars }', 'parse-error', 2, 2],
  ['DELETE { ?s ?p "x"@ninechars } WHERE { ?s ?p ?o }', 'parse-error', 1, 16],
  ['LOAD <a>', 'unsupported-sparql', 1, 1],
  ['INSERT { ?s ?p ?o } WHERE {\n  SERVICE <a> { ?s ?p ?o } }', 'unsupported-sparql', 2, 3],
  ['DELETE { ?s ?p ?o } WHERE { FILTER EXISTS { SERVICE ?x {} } }', 'unsupported-sparql', 1, 45],
];
for (const [text, code, line, column] of invalidUpdates) {
  test(`a syntax error has a position: ${JSON.stringify(text)}`, () => {
    const error = errorIn(text);
    assert.deepEqual(
      [error.code, error.details.line, error.details.column],
      [code, line, column],
      error.message,
    );
    assert.ok(error.message.length < 200);
  });
}

test('a pattern may have more values than a function call may have arguments', () => {
  const values = '1 '.repeat(130_000);
  assert.equal(modifyIn(`INSERT { <a> <b> ?v } WHERE { VALUES ?v { ${values} } }`).kind, 'modify');
});

test('an operation keeps only the declarations that its pattern needs', () => {
  const declared = (i: number) => `PREFIX p${i}: <http://example.org/namespaces/${i}#>`;
  const texts = Array.from(
    { length: 3_000 },
    (_, i) => `${declared(i)} DELETE { ?s ?p 1 } WHERE { ?s p${i}:x "1"^^p0:y }`,
  );
  const operations = read(texts.join(' ; ')) as ModifyOperation[];
  const characters = operations.reduce((sum, { prologue }) => sum + prologue.length, 0);
  assert.ok(characters < 3_000 * 200, `${characters}`);
  assert.ok(operations.at(-1)?.prologue.includes('PREFIX p2999: <http://example.org/namespaces/2999#>'));
});

test('the position of an operation is computed on demand', () => {
  const [, second] = read('DELETE WHERE { ?s ?p 1 } ;\nDELETE WHERE { ?s ?p 2 }') as ModifyOperation[];
  assert.deepEqual(second?.place(), { line: 2, column: 16 });
});

test('a label in two INSERT DATA of a request is rejected; SERVICE SILENT is left to the engine', () => {
  assert.equal(errorIn('INSERT DATA { _:a <b> 1 } ; INSERT DATA { _:a <b> 2 }').code, 'parse-error');
  assert.equal(modifyIn('INSERT { ?s ?p ?o } WHERE { SERVICE SILENT <a> { ?s ?p ?o } }').kind, 'modify');
});

test('deep nesting is an error and does not crash the thread', () => {
  const depth = 20_000;
  assert.ok(
    ['too-large', 'parse-error'].includes(errorIn(`INSERT DATA { <a> <b> ${'('.repeat(depth)}`).code),
  );
  const nested = `INSERT DATA { <a> <b> ${'('.repeat(depth)}1${')'.repeat(depth)} }`;
  assert.equal(errorIn(nested).code, 'too-large');
});

test('the pattern of DELETE WHERE is the text between its braces', () => {
  const cases: [string, string][] = [
    ['', ''],
    [' ?a <p> ?a . <s> <p> 1 ', '?a <p> ?a . <s> <p> 1 '],
    ['?a <p> ?b . ?b <q> ?c .', '?a <p> ?b . ?b <q> ?c .'],
    [
      'GRAPH <g> { ?a <p> ?b . ?b <q> ?c } ?c <r> ?d . ?d <r> 1',
      'GRAPH <g> { ?a <p> ?b . ?b <q> ?c } ?c <r> ?d . ?d <r> 1',
    ],
    ['?a <p> ?b . ?b <q> ?c # }\n', '?a <p> ?b . ?b <q> ?c # }\n'],
  ];
  for (const [between, pattern] of cases) {
    assert.equal(modifyIn(`DELETE WHERE {${between}} ; CLEAR ALL`).where, `{${pattern}}`);
  }
});

test('triple patterns are counted if a pattern contains nothing else', () => {
  const cases: [string, number | undefined][] = [
    ['DELETE WHERE { }', 0],
    ['DELETE WHERE { ?s ?p 1, 2 ; <q> ?x . }', 3],
    ['DELETE { ?s ?p 1 } WHERE { ?s ?p 1 ; <q> [ <r> ?x ] . ?s a (1 2) }', 8],
    ['DELETE { ?s ?p 1 } WHERE { { ?s ?p ?o . { ?o ?q ?r } } }', 2],
    ['INSERT { ?s ?p 1 } WHERE { ?s <p>/<q> ?o }', undefined],
    ['INSERT { ?s ?p 1 } WHERE { ?s ^<p> ?o }', undefined],
    ['INSERT { ?s ?p 1 } WHERE { ?s <p> ?o FILTER(?o > 1) }', undefined],
    ['INSERT { ?s ?p 1 } WHERE { { ?s <p> ?o } UNION { ?s <q> ?o } }', undefined],
    ['INSERT { ?s ?p 1 } WHERE { { SELECT * { ?s ?p ?o } } }', undefined],
    ['DELETE WHERE { GRAPH <g> { ?s ?p ?o } }', undefined],
  ];
  for (const [text, count] of cases) assert.equal(modifyIn(text).triplePatterns, count, text);
});

test('unbounded nesting of brackets is rejected, regardless of their content', () => {
  for (const [open, inside, close] of [
    ['{', '', '}'],
    ['FILTER(', '1', ')'],
    ['?s ?p [', '?p 1', ']'],
  ] as const) {
    const nested = (depth: number) =>
      `INSERT { } WHERE { ${open.repeat(depth)}${inside}${close.repeat(depth)} }`;
    assert.equal(errorIn(nested(1_000_000)).code, 'too-large', open);
    assert.equal(errorIn(nested(200)).code, 'too-large', open);
  }
  assert.equal(modifyIn(`INSERT { } WHERE ${'{'.repeat(200)}${'}'.repeat(200)}`).triplePatterns, 0);
  assert.equal(read('INSERT DATA { <s> <p> "[[[" }'.replace('[[[', '['.repeat(300))).length, 1);
});

test('a frequently used long name is rejected before it is expanded', () => {
  const long = `http://x/${'n'.repeat(20_000)}`;
  for (const [declaration, operation] of [
    [`PREFIX a: <${long}>`, 'DELETE WHERE { ?s ?p a:b } ; '],
    [`BASE <${long}/>`, 'DELETE WHERE { ?s ?p ?o } ; '],
  ] as const) {
    assert.equal(read(`${declaration} ${operation.repeat(10)}`).length, 10);
    assert.equal(errorIn(`${declaration} ${operation.repeat(1_000)}`).code, 'too-large');
  }
  const template = `PREFIX a: <${long}> INSERT { ${'?s ?p a:b . '.repeat(1_000)} } WHERE { ?s ?p ?o }`;
  assert.equal(errorIn(template).code, 'too-large');
});

test('long words that are not names are rejected immediately', () => {
  for (const word of ['a.', 'SELECT', 'a-', 'é', '"a', "_:a'", 'SELECTFROM', "a.:'"]) {
    const { code, details } = errorIn(`INSERT {\n ${word.repeat(300_000 / word.length)}`);
    assert.deepEqual([code, details.line], ['parse-error', 2], word);
  }
});

test('any white space and comments may follow DELETE and INSERT', () => {
  const space = ' \t\r\n# DELETE\n'.repeat(1_000);
  for (const text of ['{ ?s ?p 1 } WHERE { ?s ?p ?o }', 'WHERE { ?s ?p 1 }', 'DATA { <a> <b> 1 }']) {
    assert.equal(read(`DELETE${space}${text}`).length, 1);
  }
  assert.equal(read(`INSERT${space}DATA { <a> <b> 1 }`).length, 1);
  assert.equal(read(`INSERT${space}{ ?s ?p 1 } WHERE { ?s ?p ?o }`).length, 1);
});

test('names may contain dots and escapes, even in a text that is parsed again', () => {
  const text =
    'PREFIX a.b: <http://a/> PREFIX : <http://e/> INSERT { a.b:c.d-e\\.%20 a :f. :é.é a true . a.b: a : } WHERE { }';
  for (const { additions } of [modifyIn(text), modifyIn(text)]) {
    const subjects = additions.map(({ subject }) => subject.kind === 'constant' && subject.text);
    assert.deepEqual(subjects, ['<http://a/c.d-e.%20>', '<http://e/é.é>', '<http://a/>']);
  }
});

test('a name may contain colons after that of its prefix', () => {
  const text =
    'PREFIX p: <http://p/> INSERT { p:a:b p:c:d:e "1"^^p:f:g, 1 . GRAPH p:h: { ?s p::i p:j\\~k:l } } WHERE { GRAPH p:l:m { } }';
  const { additions, named } = modifyIn(text);
  const texts = additions.flatMap(({ subject, predicate, object, graph }) =>
    [subject, predicate, object, graph].map((term) => (term?.kind === 'constant' ? term.text : '')),
  );
  assert.deepEqual(texts, [
    ...['<http://p/a:b>', '<http://p/c:d:e>', '"1"^^<http://p/f:g>', ''],
    ...['<http://p/a:b>', '<http://p/c:d:e>', integer('1'), ''],
    ...['', '<http://p/:i>', '<http://p/j~k:l>', '<http://p/h:>'],
  ]);
  assert.deepEqual(named, ['http://p/l:m']);
  assert.deepEqual(read('PREFIX p: <http://p/> CREATE GRAPH p:a:b'), [
    { kind: 'create', silent: false, graph: 'http://p/a:b' },
  ]);
});

test('an empty collection can be deleted, and WHERE may contain blank nodes', () => {
  assert.equal(modifyIn('DELETE WHERE { ?s ?p () }').removals.length, 1);
  assert.equal(modifyIn('DELETE { ?s ?p () } WHERE { ?s ?p (), [ <q> 1 ] }').removals.length, 1);
});

test('decimals need no digit before the dot, and keep their spelling', () => {
  const text =
    'INSERT { ?s ?p .5, -.5, +.5, .5e1, 1.50 . ?s ?p 7. ?s ?p 1 } WHERE { ?s ?p ?o FILTER(?o+.5>.5&&-.5<?o) }';
  const { additions, where } = modifyIn(text);
  const xsd = 'http://www.w3.org/2001/XMLSchema#';
  const decimals = ['.5', '-.5', '+.5'].map((written) => `"${written}"^^<${xsd}decimal>`);
  assert.deepEqual(
    additions.map(({ object }) => object.kind === 'constant' && object.text),
    [...decimals, `".5e1"^^<${xsd}double>`, `"1.50"^^<${xsd}decimal>`, integer('7'), integer('1')],
  );
  assert.ok(where.includes('FILTER(?o+.5>.5&&-.5<?o)'));
});

test('language tags are as in the text, in data and in templates', () => {
  const [data, modify] = read(
    'INSERT DATA { <a> <p> "\\u00e9"@fr-CA } ; INSERT { <a> <p> "x" @EN-gb, "y"@en } WHERE {}',
  );
  assert.ok(data?.kind === 'insert-data' && modify?.kind === 'modify');
  assert.equal(termOfBlock(data.data, 2), '"é"@fr-CA');
  assert.deepEqual(
    modify.additions.map(({ object }) => object),
    ['"x"@EN-gb', '"y"@en'].map((text) => ({ kind: 'constant', text })),
  );
});
