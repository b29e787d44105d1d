import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import type { CheckReport, TracedResult } from '../../src/library/client/path-results.ts';
import { BASE } from '../support/server-process.ts';
import { sharedServer } from '../support/shared-server.ts';

const DATA = `@prefix foaf: <http://xmlns.com/foaf/0.1/> . @prefix ex: <http://example.org/> .
ex:anna foaf:name "Anna" ; foaf:age 7 ; foaf:knows ex:sepp . ex:sepp foaf:name "Sepp" ; foaf:nick "S" .`;
const ANNA = 'http://example.org/anna';
const SEPP = 'http://example.org/sepp';

describe('the resources below /ldpath that help with programs', () => {
  const server = sharedServer(['--memory', '--threads', '2', '--debug-uris', '3']);
  const put = (graph: string, body: string) =>
    fetch(`${server.url}/context?graph=${graph}`, {
      method: 'PUT',
      headers: { 'Content-Type': 'text/turtle' },
      body,
    });
  before(async () => {
    assert.equal((await put('urn:x:g', DATA)).status, 201);
  });
  const json = async (target: string) => (await fetch(`${server.url}/ldpath/${target}`)).json();
  const debug = (query: string, body: string) =>
    fetch(`${server.url}/ldpath/debug?${query}`, { method: 'POST', body });

  it('debug returns results for all start resources, or an error', async () => {
    const response = await debug(`context=${ANNA}&context[]=${SEPP}`, 'n = foaf:name ; k = foaf:knows ;');
    assert.equal(response.headers.get('cache-control'), 'no-store');
    assert.deepEqual(await response.json(), {
      [ANNA]: { n: [{ type: 'literal', value: 'Anna' }], k: [{ type: 'uri', value: SEPP }] },
      [SEPP]: { n: [{ type: 'literal', value: 'Sepp' }], k: [] },
    });
    const missing = await debug(`context=${ANNA}&context=urn:x:nobody`, 'n = foaf:name ;');
    assert.equal(missing.status, 404);
    assert.equal(((await missing.json()) as { uri: string }).uri, 'urn:x:nobody');
    assert.equal((await debug(`context=${ANNA}`, 'n = ;')).status, 400);
    assert.equal((await debug('', 'n = . ;')).status, 400);
    assert.equal(
      (await debug('context=urn:a&context=urn:b&context=urn:c&context=urn:d', 'n = . ;')).status,
      413,
    );
  });

  it('P-7: debug returns what /ldpath/program hides: warnings, skipped values, @filter and @boost', async () => {
    const source = '@prefix no : <urn:no:> ; @filter foaf:age ; @boost foaf:age ; n = foaf:name :: xsd:int ;';
    const plain = await debug(`context=${SEPP}`, source);
    assert.deepEqual(await plain.json(), { [SEPP]: { n: [] } });
    const detailed = (await (await debug(`details&context=${SEPP}&context=${ANNA}`, source)).json()) as {
      warnings: { message: string; line: number; column: number }[];
      results: Record<string, { skipped: { field: string }[]; filter: boolean; boost: number }>;
    };
    assert.match(detailed.warnings[0]!.message, /"no" is declared but not used/);
    assert.deepEqual([detailed.results[SEPP]!.filter, detailed.results[SEPP]!.boost], [false, 1]);
    assert.deepEqual([detailed.results[ANNA]!.filter, detailed.results[ANNA]!.boost], [true, 7]);
    assert.equal(detailed.results[ANNA]!.skipped[0]!.field, 'n');
  });

  it('P-71: check finds what is wrong, where a string of JavaScript has it', async () => {
    const check = async (text: string, query = '') => {
      const response = await fetch(`${server.url}/ldpath/check?${query}`, { method: 'POST', body: text });
      assert.equal(response.status, 200);
      assert.equal(response.headers.get('cache-control'), 'no-store');
      return (await response.json()) as CheckReport;
    };
    const text = '\uFEFF# \u{1F600}\nn = foaf:name ; k = oops:knows ;';
    const { errors, fields } = await check(text);
    const [error] = errors;
    assert.deepEqual([error!.code, error!.line, error!.column], ['unknown-prefix', 2, 21]);
    const seen = text.slice(1);
    assert.equal(seen.slice(error!.offset, error!.offset + error!.length!), 'oops:knows');
    assert.deepEqual(fields, []);
    const good = await check(text, 'ns_oops=urn:x:');
    assert.deepEqual(
      good.fields.map(({ name, line, column }) => [name, line, column]),
      [
        ['n', 2, 1],
        ['k', 2, 17],
      ],
    );
    assert.equal((await check('foaf:knows /', 'kind=path')).errors[0]!.code, 'parse-error');
    const long = await fetch(`${server.url}/ldpath/check`, { method: 'POST', body: ' '.repeat(300_000) });
    assert.equal(long.status, 413);
  });

  it('P-72, P-73: a trace has the triples of each start resource, and the result is the same', async () => {
    const source = '@filter foaf:name ; k = foaf:knows / foaf:name ; c = fn:concat(foaf:age, "!") ;';
    const plain = (await (await debug(`context=${ANNA}`, source)).json()) as Record<string, object>;
    const response = await debug(`trace&context=${ANNA}&context=${SEPP}`, source);
    const { results } = (await response.json()) as { results: Record<string, TracedResult> };
    const { trace, result, filter } = results[ANNA]!;
    assert.deepEqual(result, plain[ANNA]);
    assert.equal(filter, true);
    const { nodes, places, edges, fields, truncated, budget } = trace;
    assert.deepEqual(
      edges.map(({ from, to, step, used }) => [
        nodes[from]!.value,
        nodes[to]!.value,
        source.slice(places[step]!.offset, places[step]!.offset + places[step]!.length),
        used,
      ]),
      [
        [ANNA, SEPP, 'foaf:knows', true],
        [SEPP, 'Sepp', 'foaf:name', true],
        [ANNA, '7', 'foaf:age', true],
        [ANNA, 'Anna', 'foaf:name', false],
      ],
    );
    assert.deepEqual(fields, [
      { name: 'k', nodes: [2], values: [] },
      { name: 'c', nodes: [], values: [{ type: 'literal', value: '7!' }] },
    ]);
    assert.equal(truncated, false);
    assert.ok(trace.steps > 0 && trace.steps < budget.steps);
    assert.equal(results[SEPP]!.trace.nodes[0]!.value, SEPP);
  });

  it('functions lists descriptions, sorted by name', async () => {
    const functions = (await json('functions')) as Record<string, string>[];
    const names = functions.map(({ name }) => name!);
    assert.deepEqual(names, names.toSorted());
    for (const name of ['concat', 'first', 'css', 'jsonpath', 'xpath', 'sum', 'subList'])
      assert.ok(names.includes(name), name);
    assert.deepEqual(Object.keys(functions[0]!).sort(), ['description', 'name', 'signature']);
    const one = await json('functions/fn:concat');
    assert.deepEqual(
      one,
      functions.find(({ name }) => name === 'concat'),
    );
    assert.equal((await fetch(`${server.url}/ldpath/functions/nope`)).status, 404);
    assert.equal((await fetch(`${server.url}/ldpath/functions`, { method: 'HEAD' })).status, 200);
  });

  it('util/namespaces and util/prefix list the prefixes of the server and the request', async () => {
    const all = (await json('util/namespaces?ns_ex=http://example.org/')) as Record<string, string>;
    assert.equal(all['foaf'], 'http://xmlns.com/foaf/0.1/');
    assert.equal(all['local'], `${BASE}/resource/`);
    assert.equal(all['ex'], 'http://example.org/');
    assert.equal(all['fn'], 'function:ldpath#');
    assert.deepEqual(await json('util/prefix?prefix=skos'), { skos: 'http://www.w3.org/2004/02/skos/core#' });
    assert.deepEqual(await json('util/prefix?prefix=zz'), {});
  });

  it('util/complete completes names from the data', async () => {
    assert.deepEqual(await json('util/complete?uri=http://example.org/'), [ANNA, SEPP]);
    assert.deepEqual(await json('util/complete?prefix=foaf:n'), ['foaf:name', 'foaf:nick']);
    assert.deepEqual(await json('util/complete?prefix=ex:&ns_ex=http://example.org/'), [
      'ex:anna',
      'ex:sepp',
    ]);
    assert.deepEqual(await json('util/complete?prefix=fn:conc'), ['fn:concat()']);
    assert.deepEqual(await json('util/complete?prefix=xsd:int&mode=transformer'), ['xsd:int', 'xsd:integer']);
    assert.deepEqual(await json('util/complete'), []);
  });

  it('util/path continues a path from the data', async () => {
    assert.deepEqual(await json(`util/path?path=foaf:knows/foaf:n&ctx=${ANNA}`), [
      'http://xmlns.com/foaf/0.1/name',
      'http://xmlns.com/foaf/0.1/nick',
    ]);
    assert.deepEqual(await json(`util/path?path=))/&ctx=${ANNA}`), []);
  });

  /** Repeats a request: its response is incomplete if the index is not ready in time. */
  const completion = async (uri: string, expected: readonly string[]) => {
    while (!isDeepStrictEqual(await json(`util/complete?uri=${uri}`), expected));
  };

  it('util/complete finds one of many names, and follows commits', {
    timeout: 300_000,
  }, async () => {
    const many = Array.from(
      { length: 100_000 },
      (_, i) => `<http://many.example/${i}> <http://p.example/p> ${i} .`,
    );
    assert.equal((await put('urn:x:many', many.join('\n'))).status, 201);
    await completion('http://many.example/99999', ['http://many.example/99999']);
    await put('urn:x:new', '<http://many.example/99999a> <http://p.example/p> 1 .');
    await completion('http://many.example/99999', [
      'http://many.example/99999',
      'http://many.example/99999a',
    ]);
    assert.equal(((await json('util/complete?uri=http://many.example/')) as string[]).length, 20);
    await fetch(`${server.url}/context?graph=urn:x:many`, { method: 'DELETE' });
    await completion('http://many.example/', ['http://many.example/99999a']);
  });

  it('util/complete hides the registries of the system', async () => {
    assert.deepEqual(await json('util/complete?uri=urn:x-pathpool'), []);
  });
});

describe('a server with --prefix', () => {
  const args = ['--prefix', 'ex=http://example.org/terms#', '--prefix', 'dc=http://purl.org/dc/terms/'];
  const server = sharedServer(['--memory', '--threads', '1', ...args]);

  it('4.9: knows these prefixes and its own', async () => {
    const body = `<urn:x:a> <http://example.org/terms#p> "1" ; <http://purl.org/dc/terms/title> "T" .`;
    const headers = { 'Content-Type': 'text/turtle' };
    assert.equal(
      (await fetch(`${server.url}/context?graph=urn:x:g`, { method: 'PUT', headers, body })).status,
      201,
    );
    const first = async (path: string) => {
      const nodes = await (await fetch(`${server.url}/ldpath/path?path=${path}&uri=urn:x:a`)).json();
      return (nodes as { value: string }[])[0]?.value;
    };
    assert.deepEqual([await first('ex:p'), await first('dc:title')], ['1', 'T']);
    const table = (await (await fetch(`${server.url}/ldpath/util/namespaces`)).json()) as Record<
      string,
      string
    >;
    assert.equal(table['ex'], 'http://example.org/terms#');
    assert.equal(table['dc'], 'http://purl.org/dc/terms/');
    assert.equal(table['foaf'], 'http://xmlns.com/foaf/0.1/');
  });
});
