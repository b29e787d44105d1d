import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ChildLines } from '../support/child-lines.ts';
import { projectFile } from '../support/project.ts';

const entry = projectFile('src/main.ts');

describe('a server that runs from source', () => {
  /** Its threads load the engine and the parser of updates differently from a compiled server. */
  it('evaluates queries and updates', async (context) => {
    const server = new ChildLines(context, ['--import', 'tsx', entry, '--memory', '--port', '0']);
    const url = /http:\/\/\S+/.exec(await server.next())?.[0];
    const update = async (text: string) => {
      const headers = { 'Content-Type': 'application/sparql-update' };
      const body = `PREFIX : <urn:>\n${text}`;
      const response = await fetch(`${url}/update`, { method: 'POST', headers, body });
      return { status: response.status, text: await response.text() };
    };
    const texts = [
      'INSERT { GRAPH :g { :new ?p ?o } } WHERE { :none ?p ?o }',
      'INSERT DATA { GRAPH :g { :a :p "1" } }',
      'WITH :g DELETE { ?s :p ?o } INSERT { ?s :q ?o } WHERE { ?s :p ?o }',
      'DELETE WHERE { ?s :p ?o } ; INSERT { GRAPH :h { :x :y ?o } } WHERE { GRAPH :g { ?s :\\u0071 ?o } }',
    ];
    for (const text of texts) assert.deepEqual(await update(text), { status: 204, text: '' });
    assert.equal((await update('INSERT { ?s ?p } WHERE { ?s ?p ?o }')).status, 400);
    const query = encodeURIComponent('SELECT ?s ?p ?o { GRAPH ?g { ?s ?p ?o } } ORDER BY ?s');
    const response = await fetch(`${url}/query?query=${query}`, { headers: { Accept: 'text/csv' } });
    assert.equal(await response.text(), 's,p,o\r\nurn:a,urn:q,1\r\nurn:x,urn:y,1\r\n');
  });
});
