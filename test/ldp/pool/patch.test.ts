import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toErrorData } from '../../../src/errors.ts';
import { ldp } from '../../../src/ldp/model/vocabulary.ts';
import { readPatch } from '../../../src/ldp/pool/patch.ts';
import { RepresentationCursor } from '../../../src/ldp/pool/representation.ts';
import { blockLines, linesOf, ROOT, Space } from './space.ts';

const EX = 'http://example.org/';
const DCT = 'http://purl.org/dc/terms/';
const DECLARED = `PREFIX ex: <${EX}> PREFIX ldp: <http://www.w3.org/ns/ldp#> PREFIX dct: <${DCT}> PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>\n`;
const SPARQL = 'application/sparql-update';

function patched(space: Space, uri: string, text: string, mediaType = SPARQL) {
  const patch = readPatch(space.reader, { target: uri }, { mediaType, body: Buffer.from(text) }, false);
  assert.ok(patch);
  return patch;
}

/** What is added and removed, each with `<uri>` as `<>` and new blank nodes as `_:new`. */
function effect(space: Space, uri: string, text: string, mediaType = SPARQL) {
  const { additions, removals } = patched(space, uri, text, mediaType);
  const show = (line: string) =>
    line.replaceAll(`<${uri}>`, '<>').replaceAll(EX, 'ex:').replaceAll(/_:\S+/g, '_:new');
  return { added: blockLines(additions).map(show), removed: blockLines(removals).map(show) };
}

function fault(space: Space, uri: string, text: string, mediaType = SPARQL) {
  try {
    patched(space, uri, text, mediaType);
  } catch (error) {
    return toErrorData(error);
  }
  return assert.fail(`It was not refused: ${text}`);
}

test('L-70: data is inserted and deleted, and written as it is written', async () => {
  const space = await Space.open();
  const uri = await space.create('a', { body: '<> ex:title "old" ; ex:n 01, 1 .' });
  const text = `${DECLARED} DELETE DATA { <> ex:title "old" ; ex:n 1 } ; INSERT DATA { <> ex:title "new" ; ex:price 1.50 . <#me> a ex:Me } ;`;
  assert.deepEqual(effect(space, uri, text), {
    added: [
      `<${uri}#me> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <ex:Me>`,
      '<> <ex:price> "1.50"^^<http://www.w3.org/2001/XMLSchema#decimal>',
      '<> <ex:title> "new"',
    ],
    removed: ['<> <ex:n> "1"^^<http://www.w3.org/2001/XMLSchema#integer>', '<> <ex:title> "old"'],
  });
});

test('L-70: DELETE WHERE and DELETE/INSERT WHERE see all triples of the representation', async () => {
  const space = await Space.open();
  const uri = await space.create('c', {
    model: 'basic',
    body: '<> ex:title "old" ; ex:x _:b . _:b ex:y "deep" .',
  });
  await space.create('c/1');
  assert.deepEqual(effect(space, uri, `${DECLARED} DELETE WHERE { <> ex:title ?t }`), {
    added: [],
    removed: ['<> <ex:title> "old"'],
  });
  const counted = `${DECLARED} INSERT { <> ex:children ?n } WHERE { SELECT (COUNT(?c) AS ?n) WHERE { <> ldp:contains ?c } }`;
  assert.deepEqual(effect(space, uri, counted).added, [
    '<> <ex:children> "1"^^<http://www.w3.org/2001/XMLSchema#integer>',
  ]);
  const typed = `${DECLARED} DELETE { <> ex:title ?t } INSERT { <> ex:name ?t } WHERE { <> ex:title ?t ; a ldp:Container ; dct:modified ?m }`;
  assert.deepEqual(effect(space, uri, typed), {
    added: ['<> <ex:name> "old"'],
    removed: ['<> <ex:title> "old"'],
  });
});

test('L-70: operations act one after another, each under the declarations before it', async () => {
  const space = await Space.open();
  const uri = await space.create('a', { body: '<> ex:n 1 .' });
  const text = `PREFIX e: <${EX}> INSERT DATA { <> e:n 2 } ;
    PREFIX e: <${EX}v#> INSERT { <> e:copy ?n } WHERE { <> <${EX}n> ?n } ;
    BASE <http://other/> PREFIX e: <v/> DELETE WHERE { <${uri}> <${EX}n> ?n } ; INSERT DATA { <x> e:p 3 }`;
  const { added, removed } = effect(space, uri, text);
  assert.equal(removed.length, 1);
  assert.deepEqual(
    added.map((line) => line.split(' ').slice(0, 2).join(' ')),
    ['<> <ex:v#copy>', '<> <ex:v#copy>', '<http://other/x> <http://other/v/p>'],
  );
});

test('L-70: blank nodes of the store keep their labels, and new ones have labels of their own', async () => {
  const space = await Space.open();
  const uri = await space.create('a', { body: '<> ex:x [ ex:y 1 ] , [ ex:y 2 ] .' });
  const patch = patched(
    space,
    uri,
    `${DECLARED} DELETE { ?b ex:y 2 } INSERT { ?b ex:z [ ex:q 3 ] } WHERE { <> ex:x ?b . ?b ex:y 2 FILTER isBlank(?b) }`,
  );
  const [removed] = blockLines(patch.removals);
  const label = removed!.split(' ')[0]!;
  assert.ok(space.reader.find(label) > 0);
  assert.equal(patch.additions.freshBlankNodes, false);
  const added = blockLines(patch.additions);
  assert.equal(added.length, 2);
  assert.ok(added.some((line) => line.startsWith(`${label} <${EX}z> _:`)));
  const fresh = added.find((line) => line.includes('/q>'))!.split(' ')[0]!;
  assert.equal(space.reader.find(fresh), 0);
  await space.commit({ kind: 'ldp-edit', target: uri, ...patch });
  assert.equal(linesOf(space.reader.graphCursor(space.reader.find(`<${uri}>`))).length, 5);
});

test('untouched literals keep their spelling, although the engine reads their values', async () => {
  const space = await Space.open();
  const uri = await space.create('a', { body: '<> ex:n 01, "2.50"^^xsd:decimal ; ex:title "t" .' });
  assert.deepEqual(
    effect(
      space,
      uri,
      `${DECLARED} DELETE { <> ex:title ?t } INSERT { <> ex:sum 1.10, "007"^^xsd:integer } WHERE { <> ex:title ?t ; ex:n ?n FILTER(?n = 1) }`,
    ),
    {
      added: [
        '<> <ex:sum> "007"^^<http://www.w3.org/2001/XMLSchema#integer>',
        '<> <ex:sum> "1.10"^^<http://www.w3.org/2001/XMLSchema#decimal>',
      ],
      removed: ['<> <ex:title> "t"'],
    },
  );
  assert.deepEqual(
    effect(space, uri, `${DECLARED} DELETE { <> ex:n ?n } INSERT { <> ex:m ?n } WHERE { <> ex:n ?n }`),
    {
      added: [
        '<> <ex:m> "01"^^<http://www.w3.org/2001/XMLSchema#integer>',
        '<> <ex:m> "2.50"^^<http://www.w3.org/2001/XMLSchema#decimal>',
      ],
      removed: [
        '<> <ex:n> "01"^^<http://www.w3.org/2001/XMLSchema#integer>',
        '<> <ex:n> "2.50"^^<http://www.w3.org/2001/XMLSchema#decimal>',
      ],
    },
  );
});

test('L-70: language tags that Oxigraph rejects are inserted and deleted, next to operations with patterns', async () => {
  const space = await Space.open();
  const uri = await space.create('tags', { body: '<> ex:title "old"@en-x .' });
  const data = 'DELETE DATA { <> ex:title "old"@en-x } ; INSERT DATA { <> ex:title "new"@a-b }';
  const text = `${DECLARED} ${data} ; DELETE WHERE { ?s ex:other <> }`;
  assert.deepEqual(effect(space, uri, text), {
    added: ['<> <ex:title> "new"@a-b'],
    removed: ['<> <ex:title> "old"@en-x'],
  });
});

test('L-70: operations that affect more than the target are not supported', async () => {
  const space = await Space.open();
  const uri = await space.create('a');
  const cases: [string, string][] = [
    ['INSERT DATA { GRAPH <x:g> { <> ex:p 1 } }', 'GRAPH'],
    ['INSERT { <> ex:p ?o } WHERE { graph ?g { ?s ?p ?o } }', 'GRAPH'],
    ['WITH <x:g> DELETE { ?s ?p ?o } WHERE { ?s ?p ?o }', 'WITH'],
    ['DELETE { ?s ?p ?o } USING <x:g> WHERE { ?s ?p ?o }', 'USING'],
    ['DELETE { ?s ?p ?o } USING NAMED <x:g> WHERE { ?s ?p ?o }', 'USING'],
    ['INSERT { <> ex:p ?o } WHERE { SERVICE <http://127.0.0.1:9/> { ?s ?p ?o } }', 'SERVICE'],
    ['INSERT { <> ex:p ?o } WHERE { SERVICE SILENT <http://127.0.0.1:9/> { ?s ?p ?o } }', 'SERVICE'],
    ['LOAD <http://127.0.0.1:9/>', 'LOAD'],
    ['LOAD SILENT <http://127.0.0.1:9/> INTO GRAPH <x:g>', 'LOAD'],
    ['CLEAR ALL', 'CLEAR'],
    ['DROP DEFAULT', 'DROP'],
    ['CREATE GRAPH <x:g>', 'CREATE'],
    ['ADD DEFAULT TO <x:g>', 'ADD'],
    ['COPY <x:g> TO DEFAULT', 'COPY'],
    ['MOVE <x:g> TO DEFAULT', 'MOVE'],
    ['INSERT DATA { <> ex:p 1 } ; CLEAR ALL', 'CLEAR'],
    ['INSERT { <> ex:p 1 } WHERE { FILTER(1<2)GRAPH<x:g>{} }', 'GRAPH'],
    ['INSERT { <> ex:p 1 } WHERE { FILTER NOT EXISTS { GRAPH ?g {} } }', 'GRAPH'],
    ['INSERT DATA { GRAPH <x:g> {} }', 'GRAPH'],
    ['INSERT { <> ex:p 1 } WHERE { \\u0047RAPH ?g {} }', 'GRAPH'],
  ];
  for (const [text, word] of cases) {
    const { code, message } = fault(space, uri, DECLARED + text);
    assert.deepEqual([code, message.split(' ')[0]], ['unsupported-patch', word], text);
  }
});

test('L-70: the error names the place of an unsupported operation', async () => {
  const space = await Space.open();
  const uri = await space.create('a');
  const cases: [string, number, number][] = [
    ['INSERT DATA { <> <x:p> 1 } ;\n  CLEAR ALL', 2, 3],
    ['INSERT { <> <x:p> 1 }\nWHERE { SERVICE <x:y> {} }', 2, 9],
    ['INSERT DATA { <> <x:p> <<( <a> <b> <c> )>> }', 1, 24],
    ['INSERT { <> <x:p> ?t }\nWHERE { BIND(<x:f>(1) AS ?t) } ; DROP ALL', 2, 34],
  ];
  for (const [text, line, column] of cases) {
    const { code, details } = fault(space, uri, text);
    assert.deepEqual([code, details.line, details.column], ['unsupported-patch', line, column], text);
  }
  const unknown = fault(space, uri, 'INSERT { <> <x:p> ?t } WHERE { BIND(<x:f>(1) AS ?t) }');
  assert.equal(unknown.code, 'unsupported-patch');
});

test('L-70: words that only look like an unsupported operation are accepted', async () => {
  const space = await Space.open();
  const uri = await space.create('a', { body: '<> ex:p "x" .' });
  const cases = [
    'INSERT DATA { <> ex:p "GRAPH <x:g> { CLEAR ALL ; }" }',
    "INSERT DATA { <> ex:p '''LOAD ' <x:y> ''' }",
    'INSERT DATA { <> ex:q 1 } # DROP ALL ; SERVICE',
    'INSERT DATA { <> <x:GRAPH> <CLEAR> }',
    'INSERT { <> ex:q ?GRAPH } WHERE { <> ex:p ?GRAPH . OPTIONAL { <> ex:service $Load } }',
    'PREFIX load: <x:> INSERT DATA { <> load:drop load:with ; ex:MOVE _:GRAPH }',
    'INSERT DATA { <> ex:p "a"@add }',
    'INSERT DATA { <> ex:p "\\"; CLEAR ALL ; \\"" }',
    'INSERT { <> ex:q ?x } WHERE { <> ex:p ?x FILTER(?x<"z"&&"a"<?x) }',
  ];
  for (const text of cases) assert.ok(effect(space, uri, DECLARED + text).added.length > 0, text);
});

test('L-70: a syntax error is rejected with line and column', async () => {
  const space = await Space.open();
  const uri = await space.create('a');
  const cases: [string, number, number][] = [
    ['INSERT DATA { <> <x:p> }', 1, 24],
    ['INSERT DATA { <> <x:p> 1 } ;\n  PREFIX e: <x:> INSERT DATA { <> e:p  }', 2, 40],
    ['INSERT DATA { <> <x:p> "é😀" . <> <x:p> }', 1, 41],
    ['INSERT DATA { <> <x:p> 1 } ;; INSERT DATA { }', 1, 29],
    ['', 1, 1],
    ['PREFIX e: <x:>', 1, 15],
    ['SELECT * WHERE { ?s ?p ?o }', 1, 1],
  ];
  for (const [text, line, column] of cases) {
    const { code, details } = fault(space, uri, text);
    assert.deepEqual([code, details.line, details.column], ['parse-error', line, column], text);
  }
  for (const text of [
    'INSERT DATA { <> <x:p> ?x }',
    'DELETE DATA { _:x <x:p> 1 }',
    'INSERT DATA { <> e:p 1 }',
    'GRAPH',
    'DELETE { <> <x:p> _:b } WHERE { }',
    'INSERT DATA { <> <x:p> "x }',
  ]) {
    assert.equal(fault(space, uri, text).code, 'parse-error', text);
  }
});

test('literals are removed by their spelling, even next to operations with patterns', async () => {
  const space = await Space.open();
  const uri = await space.create('a', { body: '<> ex:n 01, 1 ; ex:m 02 ; ex:title "t" .' });
  const integer = (written: string) => `"${written}"^^<http://www.w3.org/2001/XMLSchema#integer>`;
  const text = `${DECLARED} DELETE DATA { <> ex:n 1 ; ex:m 2 } ; DELETE WHERE { <> ex:title ?t }`;
  assert.deepEqual(effect(space, uri, text).removed, [`<> <ex:n> ${integer('1')}`, '<> <ex:title> "t"']);
  // A variable stands for the value, of which one way to write it is left.
  const both = `${DECLARED} DELETE DATA { <> ex:n 1 } ; DELETE { <> ex:n ?n } INSERT { <> ex:o ?n } WHERE { <> ex:n ?n }`;
  assert.deepEqual(effect(space, uri, both), {
    added: [`<> <ex:o> ${integer('01')}`],
    removed: [`<> <ex:n> ${integer('01')}`, `<> <ex:n> ${integer('1')}`],
  });
});

test('the triples of other resources do not change the spelling of a literal', async () => {
  const space = await Space.open();
  await space.create('other', { body: '<> ex:n 1 .' });
  const uri = await space.create('a', { body: '<> ex:n 01 .' });
  const text = `${DECLARED} INSERT { <> ex:copy ?n } WHERE { <> ex:n ?n }`;
  assert.deepEqual(effect(space, uri, text).added, [
    '<> <ex:copy> "01"^^<http://www.w3.org/2001/XMLSchema#integer>',
  ]);
});

test('later operations see the effects of earlier ones, including blank nodes and managed triples', async () => {
  const space = await Space.open();
  const uri = await space.create('a', { body: '<> ex:x [ ex:y 1 ] .' });
  const text = `${DECLARED} INSERT DATA { <> ex:x [ ex:y 2 ] } ;
    INSERT { ?b ex:z ?y } WHERE { <> ex:x ?b ; a ldp:RDFSource . ?b ex:y ?y } ;
    DELETE { ?b ex:y ?y } WHERE { ?b ex:y ?y ; ex:z ?y }`;
  const { added, removed } = effect(space, uri, text);
  const integer = (written: string) => `"${written}"^^<http://www.w3.org/2001/XMLSchema#integer>`;
  assert.deepEqual(added, [
    '<> <ex:x> _:new',
    `_:new <ex:z> ${integer('1')}`,
    `_:new <ex:z> ${integer('2')}`,
  ]);
  assert.deepEqual(removed, [`_:new <ex:y> ${integer('1')}`]);
});

test('a patch that is too complex to read is rejected', async () => {
  const space = await Space.open();
  const uri = await space.create('a');
  const nested = `INSERT { <> ex:p 1 } WHERE ${'{'.repeat(10_000)}${'}'.repeat(10_000)}`;
  assert.equal(fault(space, uri, DECLARED + nested).code, 'too-large');
  const long = `PREFIX l: <x:${'y'.repeat(50_000)}> ${'DELETE WHERE { ?s ?p l:o } ; '.repeat(1_000)}`;
  assert.equal(fault(space, uri, long).code, 'too-large');
});

test('RDF 1.2 is not supported', async () => {
  const space = await Space.open();
  const uri = await space.create('a');
  for (const text of [
    'INSERT DATA { <> <x:p> <<( <a> <b> <c> )>> }',
    'INSERT DATA { <> <x:p> "x"@en--ltr }',
    'INSERT { <> <x:p> ?t } WHERE { BIND(TRIPLE(<x:a>, <x:b>, <x:c>) AS ?t) }',
  ]) {
    assert.equal(fault(space, uri, text).code, 'unsupported-patch', text);
  }
});

test('L-72: a patch without effect changes nothing', async () => {
  const space = await Space.open();
  const uri = await space.create('a', { body: '<> ex:p 1 .' });
  const nothing = { added: [], removed: [] };
  for (const text of [
    'INSERT DATA { <> ex:p 1 ; a ldp:RDFSource }',
    'DELETE DATA { <> ex:p 2 }',
    'INSERT DATA { <> ex:q 1 } ; DELETE DATA { <> ex:q 1 }',
    'DELETE DATA { <> ex:p 1 } ; INSERT DATA { <> ex:p 1 }',
    'DELETE { ?s ?p ?o } INSERT { ?s ?p ?o } WHERE { ?s ?p ?o }',
    'DELETE { <> ldp:contains ?x } WHERE { <> ldp:contains ?x }',
  ]) {
    assert.deepEqual(effect(space, uri, DECLARED + text), nothing, text);
  }
  assert.deepEqual(effect(space, uri, `D <> <${EX}p> "2" .`, 'application/rdf-patch'), nothing);
});

test('L-72: managed triples are not changed by a patch of either kind', async () => {
  const space = await Space.open();
  const inverse = {
    membershipResource: `${ROOT}/doc`,
    relation: `${EX}of`,
    inverse: true,
    insertedContentRelation: null,
  };
  const document = await space.create('doc');
  const container = await space.create('c', { model: 'direct', configuration: inverse });
  const child = await space.create('c/1');
  const binary = await space.create('c/2', { model: 'binary' });
  const type = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#type';
  const cases: [string, string, string][] = [
    [container, 'DELETE WHERE { <> ldp:contains ?x }', ldp.contains],
    [container, 'INSERT DATA { <> ldp:contains <x> }', ldp.contains],
    [container, 'DELETE { <> dct:modified ?m } WHERE { <> dct:modified ?m }', `${DCT}modified`],
    [container, 'INSERT DATA { <> dct:created "x" }', `${DCT}created`],
    [container, 'DELETE WHERE { <> ldp:membershipResource ?x }', ldp.membershipResource],
    [container, 'INSERT DATA { <> ldp:insertedContentRelation ex:x }', ldp.insertedContentRelation],
    [container, 'DELETE WHERE { ?m ex:of ?d }', `${EX}of`],
    [container, 'INSERT DATA { <x> ex:of <doc> }', `${EX}of`],
    [document, 'INSERT DATA { <x> ex:of <> }', `${EX}of`],
    [document, 'DELETE WHERE { ?m ex:of <> }', `${EX}of`],
    [child, 'DELETE WHERE { <> ex:of ?d }', `${EX}of`],
    [child, 'INSERT DATA { <> a ldp:Container }', type],
    [child, 'DELETE DATA { <> a ldp:RDFSource }', type],
    [`${binary}.meta`, `DELETE WHERE { <${binary}> dct:extent ?x }`, `${DCT}extent`],
    [`${binary}.meta`, `INSERT DATA { <${binary}> dct:format "x" }`, `${DCT}format`],
    [
      ROOT,
      'DELETE WHERE { <> <http://www.w3.org/2000/01/rdf-schema#label> ?l }',
      'http://www.w3.org/2000/01/rdf-schema#label',
    ],
  ];
  for (const [target, text, property] of cases) {
    const { code, details } = fault(space, target, DECLARED + text);
    assert.deepEqual([code, details.properties], ['constraint-violation', [property]], text);
  }
  const line = fault(space, container, `D <> <${ldp.contains}> <${child}> .`, 'application/rdf-patch');
  assert.deepEqual([line.code, line.details.properties], ['constraint-violation', [ldp.contains]]);
});

test('L-53: a container type that is the client’s own can be taken back', async () => {
  const space = await Space.open();
  const uri = await space.create('a', { body: '<> a ldp:Container .' });
  assert.equal(effect(space, uri, `${DECLARED} DELETE DATA { <> a ldp:Container }`).removed.length, 1);
});

test('L-71: an RDF patch is applied', async () => {
  const space = await Space.open();
  const uri = await space.create('a', { body: '<> ex:p "x" .' });
  const text = `@prefix ex: <${EX}> .\nD <> ex:p "x" .\nA R R "y" .\nA R ex:q _:b .\nA _:b ex:q "z" .\nD <> ex:none "x" .\n`;
  assert.deepEqual(effect(space, uri, text, 'application/rdf-patch'), {
    added: ['<> <ex:p> "y"', '<> <ex:q> _:new', '_:new <ex:q> "z"'],
    removed: ['<> <ex:p> "x"'],
  });
});

test('decimals need no digit before the dot; blank nodes cannot be deleted', async () => {
  const space = await Space.open();
  const uri = await space.create('a', { body: '[ <q> 5 ] <p> <> .' });
  assert.deepEqual(effect(space, uri, `${DECLARED} INSERT DATA { <> ex:p .5 }`).added, [
    '<> <ex:p> ".5"^^<http://www.w3.org/2001/XMLSchema#decimal>',
  ]);
  const { code, details } = fault(space, uri, 'DELETE WHERE {\n [ <q> ?x ] <p> ?o }');
  assert.deepEqual([code, details.line, details.column], ['parse-error', 2, 2]);
});

test('a patch that may take long is not started where the result is needed at once', async () => {
  const space = await Space.open();
  const uri = await space.create('a', { body: '<> ex:p 1, 2, 3 .' });
  const brief = (text: string) =>
    readPatch(
      space.reader,
      { target: uri },
      { mediaType: SPARQL, body: Buffer.from(DECLARED + text) },
      true,
    ) !== null;
  assert.ok(brief('INSERT DATA { <> ex:p 4 }'));
  assert.ok(brief('DELETE { <> ex:p ?x } INSERT { <> ex:q ?x } WHERE { <> ex:p ?x }'));
  assert.ok(brief('INSERT { <> ex:t ?y } WHERE { <> ex:p ?x ; ex:q [ ex:r ?y ] }'));
  assert.ok(
    !brief('DELETE { <> ex:p ?a } WHERE { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l . ?m ?n ?o . ?q ?r ?s }'),
  );
  assert.ok(!brief('INSERT { <> ex:p ?x } WHERE { <> ex:p ?y BIND(?y + 1 AS ?x) }'));
  assert.ok(!brief('INSERT { <> ex:p ?x } WHERE { <> ex:p* ?x }'));
  assert.ok(!brief('DELETE WHERE { <> ex:p 1 } ; '.repeat(200)));
  assert.ok(!brief(`INSERT DATA { <> ex:p "${'x'.repeat(5_000)}" }`));
});

test('a long template is charged for each solution', async () => {
  const space = await Space.open();
  const body = Array.from({ length: 100 }, (_, i) => `<> <p> ${i} .`).join('\n');
  const uri = await space.create('a', { body });
  const brief = (template: string) => {
    const text = `${template} WHERE { ?a ?b ?c . ?d ?e ?f }`;
    return (
      readPatch(space.reader, { target: uri }, { mediaType: SPARQL, body: Buffer.from(text) }, true) !== null
    );
  };
  assert.ok(!brief(`DELETE { ${'?a ?b ?d . '.repeat(300)} }`));
  assert.ok(!brief(`INSERT { ${'?a ?b ?f . '.repeat(300)} }`));
  assert.ok(brief('DELETE { }'));
});

test('a patch that adds too much is rejected', async () => {
  const space = await Space.open();
  const body = Array.from({ length: 70 }, (_, i) => `<> ex:p ${i} .`).join('\n');
  const uri = await space.create('a', { body });
  const text = `${DECLARED} INSERT { ?x ex:q ?y } WHERE { <> ex:p ?a , ?b , ?c BIND(IRI(CONCAT("x:", STR(?a), "-", STR(?b))) AS ?x) BIND(?c AS ?y) }`;
  assert.equal(fault(space, uri, text).code, 'too-large');
});

test('patches of a representation have the same effect as on a store of its triples', async () => {
  const space = await Space.open();
  const uri = await space.create('a', { body: '<> ex:p 1, 2 ; ex:q <#x> . <#x> ex:p 2 .' });
  await space.commit({
    kind: 'ldp-edit',
    target: uri,
    ...patched(space, uri, `${DECLARED} DELETE { ?s ex:p 2 } INSERT { ?s ex:r ?o } WHERE { ?s ex:p ?o }`),
  });
  const parts = { minimal: true, containment: true, membership: true };
  const lines = linesOf(new RepresentationCursor(space.reader, { ldp: uri, parts }));
  assert.deepEqual(
    lines
      .filter((line) => line.includes(EX))
      .map((line) =>
        line
          .replaceAll(`${uri}`, '')
          .replaceAll(/"(\d)".*/g, '$1')
          .replaceAll(EX, ''),
      )
      .sort(),
    ['<#x> <r> 2', '<> <p> 1', '<> <q> <#x>', '<> <r> 1', '<> <r> 2'],
  );
});
