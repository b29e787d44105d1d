import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { BASE, startServer } from '../support/server-process.ts';

class Client {
  readonly url: string;

  private constructor(url: string) {
    this.url = url;
  }

  static async start(context: TestContext, ...more: string[]): Promise<Client> {
    const { url } = await startServer(context, ['--memory', '--threads', '2', ...more]);
    return new Client(url);
  }

  update(text: string): Promise<Response> {
    const headers = { 'Content-Type': 'application/sparql-update' };
    return fetch(`${this.url}/update`, { method: 'POST', headers, body: `PREFIX : <urn:>\n${text}` });
  }

  async done(text: string): Promise<void> {
    const response = await this.update(text);
    assert.equal(response.status, 204, await response.text());
  }

  async quads(): Promise<string[]> {
    const response = await fetch(`${this.url}/dataset`);
    return (await response.text()).split('\n').filter(Boolean).sort();
  }
}

const integer = (written: number | string) => `"${written}"^^<http://www.w3.org/2001/XMLSchema#integer>`;

test('updates over HTTP', async (context) => {
  const client = await Client.start(context);

  await context.test('clients that count together reach the sum', async () => {
    await client.done('INSERT DATA { GRAPH :g { :c :value 0 } }');
    const increment =
      'WITH :g DELETE { :c :value ?n } INSERT { :c :value ?m } WHERE { :c :value ?n BIND(?n + 1 AS ?m) }';
    const counting = async () => {
      for (let i = 0; i < 5; i++) await client.done(increment);
    };
    await Promise.all(Array.from({ length: 6 }, counting));
    assert.deepEqual(await client.quads(), [`<urn:c> <urn:value> ${integer(30)} <urn:g> .`]);
  });

  await context.test('several operations are one change, and see each other', async () => {
    await client.done(`INSERT DATA { GRAPH :g { :a :p 01 } } ;
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

  await context.test('what was changed without a graph is in the default context', async () => {
    await client.done('DROP ALL ; INSERT DATA { :a :p "x" } ; INSERT { ?s :q ?o } WHERE { ?s :p ?o }');
    const own = `<${BASE}/context/default> .`;
    assert.deepEqual(await client.quads(), [`<urn:a> <urn:p> "x" ${own}`, `<urn:a> <urn:q> "x" ${own}`]);
  });

  await context.test('resources of the LDP space stay as they are', async () => {
    const created = await fetch(`${client.url}/ldp`, {
      method: 'POST',
      headers: { 'Content-Type': 'text/turtle', Slug: 'r' },
      body: '<> <urn:p> "ldp" .',
    });
    assert.equal(created.status, 201);
    const refused = await client.update('DELETE WHERE { ?s :p ?o }');
    assert.equal(refused.status, 409);
    assert.ok((await client.quads()).some((line) => line.includes('"x"')));
    await client.done('CLEAR ALL');
    const left = await fetch(`${client.url}/ldp/r`, { headers: { Accept: 'text/turtle' } });
    assert.match(await left.text(), /"ldp"/);
  });

  await context.test('a fault is told with its line and column', async () => {
    const response = await client.update('INSERT { ?s ?p ?o }\nWHERE { ?s ?p ?o');
    assert.equal(response.status, 400);
  });
});
