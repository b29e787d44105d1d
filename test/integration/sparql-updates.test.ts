import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { BASE } from '../support/server-process.ts';
import { sharedServer } from '../support/shared-server.ts';

class Client {
  private readonly server: { readonly url: string };

  constructor(server: { readonly url: string }) {
    this.server = server;
  }

  update(text: string): Promise<Response> {
    const headers = { 'Content-Type': 'application/sparql-update' };
    return fetch(`${this.server.url}/update`, { method: 'POST', headers, body: `PREFIX : <urn:>\n${text}` });
  }

  async done(text: string): Promise<void> {
    const response = await this.update(text);
    assert.equal(response.status, 204, await response.text());
  }

  async quads(): Promise<string[]> {
    const response = await fetch(`${this.server.url}/dataset`);
    return (await response.text()).split('\n').filter(Boolean).sort();
  }
}

const integer = (written: number | string) => `"${written}"^^<http://www.w3.org/2001/XMLSchema#integer>`;

describe('a SPARQL update', () => {
  const client = new Client(sharedServer(['--memory', '--threads', '2']));
  beforeEach(() => client.done('DROP ALL'));

  it('loses no increment of concurrent clients', async () => {
    await client.done('INSERT DATA { GRAPH :g { :c :value 0 } }');
    const increment =
      'WITH :g DELETE { :c :value ?n } INSERT { :c :value ?m } WHERE { :c :value ?n BIND(?n + 1 AS ?m) }';
    const counting = async () => {
      for (let i = 0; i < 5; i++) await client.done(increment);
    };
    await Promise.all(Array.from({ length: 6 }, counting));
    assert.deepEqual(await client.quads(), [`<urn:c> <urn:value> ${integer(30)} <urn:g> .`]);
  });

  it('makes one change of several operations, each of which sees those before it', async () => {
    await client.done(`INSERT DATA { GRAPH :g { :a :p 01 . :c :value 30 } } ;
      INSERT { GRAPH :h { ?s :q ?o } } WHERE { GRAPH :g { ?s ?p ?o } } ; DROP GRAPH :g`);
    const expected = [
      `<urn:a> <urn:q> ${integer('01')} <urn:h> .`,
      `<urn:c> <urn:q> ${integer(30)} <urn:h> .`,
    ];
    assert.deepEqual(await client.quads(), expected);
    const failed = await client.update(
      'CLEAR ALL ; INSERT { ?s :p ?o } WHERE { ?s ?p ?o } ; DROP GRAPH :none',
    );
    assert.equal(failed.status, 404);
    assert.deepEqual(await client.quads(), expected);
  });

  it('writes to the default context when it names no graph', async () => {
    await client.done('DROP ALL ; INSERT DATA { :a :p "x" } ; INSERT { ?s :q ?o } WHERE { ?s :p ?o }');
    const own = `<${BASE}/context/default> .`;
    assert.deepEqual(await client.quads(), [`<urn:a> <urn:p> "x" ${own}`, `<urn:a> <urn:q> "x" ${own}`]);
  });

  it('is rejected with the line and column of a syntax error', async () => {
    const response = await client.update('INSERT { ?s ?p ?o }\nWHERE { ?s ?p ?o');
    assert.equal(response.status, 400);
    const { line, column } = (await response.json()) as { line: number; column: number };
    assert.deepEqual([line, column], [3, 17]);
  });
});

describe('a SPARQL update of a store with LDP resources', () => {
  const server = sharedServer(['--memory', '--threads', '2']);
  const client = new Client(server);

  it('is rejected when it would change one, and CLEAR ALL leaves them', async () => {
    await client.done('INSERT DATA { :a :p "x" }');
    const created = await fetch(`${server.url}/ldp`, {
      method: 'POST',
      headers: { 'Content-Type': 'text/turtle', Slug: 'r' },
      body: '<> <urn:p> "ldp" .',
    });
    assert.equal(created.status, 201);
    const rejected = await client.update('DELETE WHERE { ?s :p ?o }');
    assert.equal(rejected.status, 409);
    assert.ok((await client.quads()).some((line) => line.includes('"x"')));
    await client.done('CLEAR ALL');
    const left = await fetch(`${server.url}/ldp/r`, { headers: { Accept: 'text/turtle' } });
    assert.match(await left.text(), /"ldp"/);
  });
});
