/** Clients of SPARQL in JavaScript against a real server. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { npmPackage } from './install.ts';
import { serverUrl } from './server-url.ts';

/** The part of fetch-sparql-endpoint that is used here. */
interface Fetcher {
  fetchBindings(
    endpoint: string,
    query: string,
  ): Promise<AsyncIterable<Readonly<Record<string, { value: string }>>>>;
  fetchAsk(endpoint: string, query: string): Promise<boolean>;
  fetchTriples(endpoint: string, query: string): Promise<AsyncIterable<{ object: { value: string } }>>;
  fetchUpdate(endpoint: string, query: string): Promise<void>;
}

test('fetch-sparql-endpoint: bindings, ask, triples and updates', async (context) => {
  const installed = await npmPackage('fetch-sparql-endpoint', '7.2.0');
  if (installed === undefined) return context.skip('npm could not install fetch-sparql-endpoint');
  const { SparqlEndpointFetcher } = installed as {
    SparqlEndpointFetcher: new (options?: { method: 'GET' | 'POST' }) => Fetcher;
  };
  const endpoint = `${await serverUrl(context)}/sparql`;
  for (const method of ['POST', 'GET'] as const) {
    const fetcher = new SparqlEndpointFetcher({ method });
    await fetcher.fetchUpdate(
      endpoint,
      `INSERT DATA { GRAPH <urn:x:g> { <urn:x:s> <urn:x:p> "01", "${method}" } }`,
    );
    const query = 'SELECT ?o { GRAPH <urn:x:g> { ?s ?p ?o } } ORDER BY ?o';
    assert.deepEqual(await valuesOf(await fetcher.fetchBindings(endpoint, query), ({ o }) => o!.value), [
      '01',
      method,
    ]);
    assert.equal(await fetcher.fetchAsk(endpoint, 'ASK { GRAPH <urn:x:g> { ?s ?p "none" } }'), false);
    const triples = await fetcher.fetchTriples(
      endpoint,
      'CONSTRUCT { ?s ?p ?o } { GRAPH <urn:x:g> { ?s ?p ?o } }',
    );
    assert.deepEqual((await valuesOf(triples, ({ object }) => object.value)).sort(), ['01', method]);
    await fetcher.fetchUpdate(endpoint, 'DROP GRAPH <urn:x:g>');
  }
  const fetcher = new SparqlEndpointFetcher();
  await assert.rejects(valuesFrom(fetcher, endpoint, 'SELECT ?s { ?s '), /400/);
});

async function valuesFrom(fetcher: Fetcher, endpoint: string, query: string): Promise<string[]> {
  return valuesOf(await fetcher.fetchBindings(endpoint, query), (row) => Object.keys(row).join());
}

async function valuesOf<T>(stream: AsyncIterable<T>, read: (item: T) => string): Promise<string[]> {
  const values: string[] = [];
  for await (const item of stream) values.push(read(item));
  return values;
}

/**
 * Requests as the editor of YASGUI sends them from a page of another origin, with its headers for
 * each form.
 */
test('YASGUI: its requests from a page of another origin succeed', async (context) => {
  const endpoint = `${await serverUrl(context, '--allow-origin', '*')}/sparql`;
  const origin = 'https://yasgui.test';
  const ask = (form: Record<string, string>, accept: string) =>
    fetch(endpoint, {
      method: 'POST',
      headers: { Origin: origin, Accept: accept, 'Content-Type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(form).toString(),
    });
  const select = await ask(
    { query: 'SELECT * WHERE {\n  ?sub ?pred ?obj .\n} LIMIT 10' },
    'application/sparql-results+json,*/*;q=0.9',
  );
  assert.equal(select.status, 200);
  assert.equal(select.headers.get('access-control-allow-origin'), '*');
  assert.match(select.headers.get('content-type') ?? '', /^application\/sparql-results\+json/);
  const { head } = (await select.json()) as { head: { vars: string[] } };
  assert.deepEqual(head.vars, ['sub', 'pred', 'obj']);
  const construct = await ask(
    { query: 'CONSTRUCT WHERE { ?s ?p ?o } LIMIT 10' },
    'application/n-triples,*/*;q=0.9',
  );
  assert.match(construct.headers.get('content-type') ?? '', /^application\/n-triples/);
  const wrong = await ask({ query: 'SELECT * { ?s ?p' }, 'application/sparql-results+json,*/*;q=0.9');
  assert.equal(wrong.status, 400);
  assert.match(await wrong.text(), /"line":1/);
});

test('YASGUI: its update form is executed for a page of the same origin', async (context) => {
  const url = await serverUrl(context);
  const response = await fetch(`${url}/sparql`, {
    method: 'POST',
    headers: {
      Origin: url,
      Accept: 'text/plain,*/*;q=0.9',
      'Content-Type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams({
      update: 'INSERT DATA { GRAPH <urn:x:g> { <urn:x:s> <urn:x:p> 1 } }',
    }).toString(),
  });
  assert.ok(response.ok, await response.text());
  const graph = await fetch(`${url}/context?graph=urn:x:g`, { headers: { Accept: 'application/n-triples' } });
  assert.match(await graph.text(), /^<urn:x:s> <urn:x:p> "1"/);
});
