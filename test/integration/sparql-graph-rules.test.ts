import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { login, withGraphRules } from '../support/graph-rules.ts';
import { BASE } from '../support/server-process.ts';
import { sharedServer } from '../support/shared-server.ts';

const rules = [
  'read public urn:x:open*',
  'write user:anna urn:x:own/* urn:x:both',
  'read user:anna urn:x:readable',
  'read user:reader *',
  'write user:writer urn:x:own/*',
  'read user:writer *',
  'write user:root *',
];
const users = { anna: 'write', reader: 'read', writer: 'write', root: 'write', otto: 'read' } as const;
type User = keyof typeof users;

const DEFAULT = `${BASE}/context/default`;
const data = `
  GRAPH <urn:x:open> { <urn:s> <urn:p> 1 . <urn:s> <urn:q> <urn:o> }
  GRAPH <urn:x:own/a> { <urn:s> <urn:p> 2 . <urn:s> <urn:n> "07"^^<http://www.w3.org/2001/XMLSchema#integer> }
  GRAPH <urn:x:own/b> { <urn:s> <urn:p> 2 . _:n <urn:label> "shown" }
  GRAPH <urn:x:hidden> { <urn:s> <urn:p> 1, 3 . <urn:h> <urn:secret> <urn:s> . <urn:o> <urn:q> <urn:far> .
    <urn:s> <urn:n> 7 . [] <urn:label> "hidden" }
  <urn:s> <urn:p> 4 .`;

describe('SPARQL for a client that may not read all graphs', () => {
  const server = sharedServer(withGraphRules(rules, users, '--threads', '1', '--sparql-threads', '2'));
  const send = (user: User, init: { target?: string; update?: string; method?: string }) =>
    fetch(`${server.url}${init.target ?? '/sparql'}`, {
      method: init.method ?? (init.update === undefined ? 'GET' : 'POST'),
      headers: { ...login(user), 'Content-Type': 'application/sparql-update' },
      ...(init.update !== undefined && { body: init.update }),
    });
  const update = async (user: User, text: string, parameters = '') => {
    const response = await send(user, { update: text, target: `/sparql${parameters}` });
    const body = await response.text();
    return response.status === 204 ? 204 : `${response.status} ${JSON.parse(body).code}`;
  };
  const query = async (user: User, text: string, parameters = '') => {
    const target = `/sparql?query=${encodeURIComponent(text)}&format=csv${parameters}`;
    const response = await send(user, { target });
    const lines = (await response.text()).trim().split(/\r?\n/);
    assert.equal(response.status, 200, lines.join('\n'));
    return lines.slice(1).sort();
  };
  const reset = async () => assert.equal(await update('root', `DROP ALL; INSERT DATA { ${data} }`), 204);

  it('G-161: matches visible graphs only, in all forms of patterns', async () => {
    await reset();
    for (const [text, rows] of [
      ['SELECT ?o { <urn:s> <urn:p> ?o }', ['1', '2']],
      ['SELECT (COUNT(*) AS ?n) { ?s ?p ?o }', ['5']],
      ['SELECT DISTINCT ?g { GRAPH ?g { ?s ?p ?o } }', ['urn:x:open', 'urn:x:own/a', 'urn:x:own/b']],
      ['SELECT ?o { GRAPH <urn:x:hidden> { ?s ?p ?o } }', []],
      ['SELECT ?o FROM <urn:x:hidden> { ?s ?p ?o }', []],
      ['SELECT ?o FROM <urn:x:hidden> FROM <urn:x:open> { ?s <urn:p> ?o }', ['1']],
      ['SELECT ?g FROM NAMED <urn:x:hidden> { GRAPH ?g { ?s ?p ?o } }', []],
      ['SELECT ?o FROM <urn:x:own/a> FROM <urn:x:own/b> { ?s <urn:p> ?o }', ['2']],
      [`SELECT ?o FROM <${DEFAULT}> { ?s ?p ?o }`, []],
      ['SELECT ?x { <urn:s> <urn:q>+ ?x }', ['urn:o']],
      ['SELECT ?x { ?x <urn:p>? <urn:h> }', ['urn:h']],
      ['SELECT (COUNT(*) AS ?n) { ?x <urn:none>* ?y }', ['7']],
      ['SELECT ?s { ?s <urn:p> 1 FILTER EXISTS { ?x <urn:secret> ?s } }', []],
      ['SELECT ?n { { SELECT (COUNT(?o) AS ?n) { ?s <urn:p> ?o } } }', ['2']],
      [
        'SELECT ?g ?n { GRAPH ?g { SELECT (COUNT(*) AS ?n) { ?s <urn:p> ?o } } }',
        ['urn:x:open,1', 'urn:x:own/a,1', 'urn:x:own/b,1'],
      ],
      [
        'SELECT ?g ?s { GRAPH ?g { ?s <urn:p> ?o MINUS { ?x <urn:q> ?y } } }',
        ['urn:x:open,urn:s', 'urn:x:own/a,urn:s', 'urn:x:own/b,urn:s'],
      ],
      ['SELECT ?l { ?s <urn:label> ?l FILTER isBlank(?s) }', ['shown']],
      // Its spelling in a hidden graph does not show.
      ['SELECT ?n { <urn:s> <urn:n> ?n }', ['07']],
    ] as const) {
      assert.deepEqual(await query('anna', text), rows, text);
    }
  });

  it('G-161: forms graphs of visible triples, and names graphs in parameters', async () => {
    await reset();
    const graphOf = async (text: string) => {
      const response = await send('anna', { target: `/sparql?format=nt&query=${encodeURIComponent(text)}` });
      return (await response.text()).trim().split('\n').filter(Boolean).length;
    };
    assert.equal(await graphOf('DESCRIBE <urn:h>'), 0);
    assert.equal(await graphOf('DESCRIBE <urn:s>'), 4);
    assert.equal(await graphOf('CONSTRUCT WHERE { ?s ?p ?o }'), 5);
    const all = 'SELECT ?o { <urn:s> <urn:p> ?o }';
    assert.deepEqual(await query('anna', all, '&default-graph-uri=urn:x:hidden'), []);
    assert.deepEqual(
      await query('anna', all, '&default-graph-uri=urn:x:own/a&default-graph-uri=urn:x:hidden'),
      ['2'],
    );
    assert.deepEqual(
      await query('anna', 'SELECT ?g { GRAPH ?g { ?s ?p ?o } }', '&named-graph-uri=urn:x:hidden'),
      [],
    );
    assert.deepEqual(await query('otto', all), ['1']);
    assert.deepEqual(await query('reader', all), ['1', '2', '3', '4']);
  });

  it('G-165: has no entity tag, which would change with hidden graphs', async () => {
    const target = `/sparql?query=${encodeURIComponent('ASK {}')}`;
    assert.equal((await send('anna', { target })).headers.get('etag'), null);
    assert.match((await send('reader', { target })).headers.get('etag') ?? '', /^W\//);
  });

  it('G-162: an update changes graphs that the client may write, or nothing at all', async () => {
    await reset();
    for (const [user, text, outcome] of [
      ['anna', 'INSERT DATA { GRAPH <urn:x:hidden> { <urn:a> <urn:b> 1 } }', '404 graph-not-found'],
      ['anna', 'INSERT DATA { GRAPH <urn:x:nowhere> { <urn:a> <urn:b> 1 } }', '404 graph-not-found'],
      ['anna', 'DELETE DATA { GRAPH <urn:x:hidden> { <urn:s> <urn:p> 1 } }', '404 graph-not-found'],
      ['anna', 'DELETE DATA { GRAPH <urn:x:hidden> { <urn:s> <urn:p> 9 } }', '404 graph-not-found'],
      ['anna', 'INSERT DATA { <urn:a> <urn:b> 1 }', '404 graph-not-found'],
      ['anna', 'INSERT DATA { GRAPH <urn:x:open> { <urn:a> <urn:b> 1 } }', '403 forbidden'],
      [
        'anna',
        'INSERT { GRAPH ?g { ?s <urn:copy> ?o } } WHERE { GRAPH ?g { ?s <urn:p> ?o } }',
        '403 forbidden',
      ],
      ['anna', 'DELETE { ?s ?p ?o } WHERE { ?s ?p ?o }', '403 forbidden'],
      ['anna', 'CLEAR GRAPH <urn:x:hidden>', '404 graph-not-found'],
      ['anna', 'DROP GRAPH <urn:x:hidden>', '404 graph-not-found'],
      ['anna', 'CREATE GRAPH <urn:x:hidden>', '404 graph-not-found'],
      ['anna', 'CREATE GRAPH <urn:x:nowhere>', '404 graph-not-found'],
      ['anna', 'COPY <urn:x:hidden> TO <urn:x:own/c>', '404 graph-not-found'],
      ['anna', 'COPY DEFAULT TO <urn:x:own/c>', '404 graph-not-found'],
      ['anna', 'CLEAR DEFAULT', '404 graph-not-found'],
      ['anna', 'ADD <urn:x:own/a> TO <urn:x:hidden>', '404 graph-not-found'],
      ['anna', 'MOVE <urn:x:open> TO <urn:x:own/c>', '403 forbidden'],
      ['anna', 'CLEAR ALL', '403 forbidden'],
      ['anna', 'DROP NAMED', '403 forbidden'],
      [
        'anna',
        'INSERT DATA { GRAPH <urn:x:own/a> { <urn:a> <urn:b> 1 } }; CLEAR GRAPH <urn:x:open>',
        '403 forbidden',
      ],
      ['writer', 'INSERT DATA { GRAPH <urn:x:hidden> { <urn:a> <urn:b> 1 } }', '403 forbidden'],
      ['otto', 'INSERT DATA { GRAPH <urn:x:open> { <urn:a> <urn:b> 1 } }', '403 forbidden'],
    ] as const) {
      assert.equal(await update(user, text), outcome, text);
    }
    assert.deepEqual(await query('root', 'SELECT (COUNT(*) AS ?n) { GRAPH ?g { ?s ?p ?o } }'), ['13']);
  });

  it('G-161: an update does not tell what the registries of the server have', async () => {
    const system = 'GRAPH <urn:x-pathpool:system>';
    const row = '<urn:x:hidden/r> a <urn:x-pathpool:Resource>';
    const outcomes = async () => {
      const all: [update: string, outcome: string | number][] = [];
      for (const text of [
        `DELETE DATA { ${system} { ${row} } }`,
        `INSERT DATA { ${system} { ${row} } }`,
        `DELETE { ${system} { ${row} } } WHERE {}`,
        `INSERT { ${system} { ${row} } } WHERE {}`,
        'CREATE GRAPH <urn:x-pathpool:system>',
        'CLEAR GRAPH <urn:x-pathpool:system>',
      ]) {
        all.push([text, await update('anna', text)]);
      }
      return all;
    };
    const registered = (method: string) => send('root', { target: '/resource?uri=urn:x:hidden/r', method });
    const before = await outcomes();
    assert.equal((await registered('POST')).status, 201);
    assert.deepEqual(await outcomes(), before);
    assert.equal((await registered('DELETE')).status, 200);
    assert.deepEqual(await outcomes(), before);
  });

  it('an update reads visible graphs only', async () => {
    await reset();
    const counted = (graph: string) =>
      query('root', `SELECT (COUNT(*) AS ?n) { GRAPH <${graph}> { ?s ?p ?o } }`);
    const into = 'INSERT { GRAPH <urn:x:both> { ?s ?p ?o } }';
    for (const [text, parameters, count] of [
      [`${into} WHERE { ?s ?p ?o }`, '', '5'],
      [`${into} USING <urn:x:hidden> WHERE { ?s ?p ?o }`, '', '0'],
      [`${into} USING NAMED <urn:x:hidden> WHERE { GRAPH ?g { ?s ?p ?o } }`, '', '0'],
      [`${into} WHERE { ?s ?p ?o }`, '?using-graph-uri=urn:x:hidden', '0'],
      [`WITH <urn:x:hidden> ${into} WHERE { ?s ?p ?o }`, '', '0'],
      ['COPY SILENT <urn:x:hidden> TO <urn:x:both>', '', '0'],
    ] as const) {
      assert.equal(await update('anna', text, parameters), 204, text);
      assert.deepEqual(await counted('urn:x:both'), [count], text);
      await update('root', 'DROP SILENT GRAPH <urn:x:both>');
    }
  });

  it('CLEAR ALL and DROP ALL leave hidden graphs as they are', async () => {
    await reset();
    assert.equal(await update('root', 'DROP GRAPH <urn:x:open>'), 204);
    assert.equal(await update('anna', 'DROP ALL'), 204);
    const graphs = await query('root', 'SELECT DISTINCT ?g { GRAPH ?g { ?s ?p ?o } }');
    assert.deepEqual(graphs, [DEFAULT, 'urn:x:hidden']);
  });

  it('shows a client what it has just written, and what others have written meanwhile', async () => {
    await reset();
    for (let n = 10; n < 30; n++) {
      await update(
        'root',
        `INSERT DATA { GRAPH <urn:x:hidden> { <urn:s> <urn:p> ${n} } GRAPH <urn:x:open> { <urn:s> <urn:p> ${n} } }`,
      );
      await update('anna', `INSERT DATA { GRAPH <urn:x:own/a> { <urn:s> <urn:p> ${n} } }`);
      // Once in each graph, so that the union has it once.
      assert.deepEqual(await query('anna', `SELECT ?o { <urn:s> <urn:p> ?o FILTER (?o = ${n}) }`), [
        String(n),
      ]);
    }
    assert.deepEqual(await query('anna', 'SELECT (COUNT(*) AS ?n) { <urn:s> <urn:p> ?o }'), ['22']);
  });
});
