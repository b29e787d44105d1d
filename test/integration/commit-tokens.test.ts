import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { isConsole, isProbe } from '../../src/http/middleware/probes.ts';
import { COMMIT } from '../support/cluster-requests.ts';
import type { OpenApiDocument } from '../support/openapi-examples.ts';
import { sharedServer } from '../support/shared-server.ts';

interface Endpoint {
  readonly method: string;
  readonly path: string;
}

describe('G-151: a commit that a request names', () => {
  const server = sharedServer(['--memory', '--threads', '1', '--sparql-threads', '1']);
  let endpoints: readonly Endpoint[];
  /** The name of the data set. */
  let identity: string;

  before(async () => {
    const { paths } = (await (await fetch(`${server.url}/openapi.json`)).json()) as OpenApiDocument;
    endpoints = Object.entries(paths)
      .filter(([path]) => !isProbe(path) && !isConsole(path))
      .flatMap(([path, item]) =>
        Object.keys(item)
          .filter((method) => method !== 'options')
          .map((method) => ({ method: method.toUpperCase(), path: path.replaceAll(/\{\w+\}/g, 'x') })),
      );
    assert.ok(endpoints.length > 60);
    const body = '<urn:x:s> <urn:x:p> <urn:x:o> .';
    const headers = { 'Content-Type': 'application/n-triples' };
    const written = await fetch(`${server.url}/context?graph=urn:x:g`, { method: 'PUT', headers, body });
    identity = written.headers.get(COMMIT)!.split('.')[0]!;
  });

  /** Sends a token to each endpoint in both ways, and returns the responses that differ. */
  async function unexpected(token: string, status: number, codes: readonly string[], fields: object = {}) {
    const ask = async ({ method, path }: Endpoint, isInHeader: boolean) => {
      const response = await fetch(server.url + path + (isInHeader ? '' : `?commit=${token}`), {
        method,
        redirect: 'manual',
        ...(isInHeader && { headers: { [COMMIT]: token } }),
      });
      const text = await response.text();
      const isExpected =
        response.status === status &&
        (method === 'HEAD' || codes.includes((JSON.parse(text) as { readonly code: string }).code)) &&
        Object.entries(fields).every(([name, value]) => response.headers.get(name) === value);
      return isExpected ? [] : [`${method} ${path}: ${response.status} ${text}`];
    };
    const asked = endpoints.flatMap((endpoint) => [ask(endpoint, true), ask(endpoint, false)]);
    return (await Promise.all(asked)).flat();
  }

  it('is waited for by every endpoint, which then says when to ask again', { timeout: 60_000 }, async () => {
    assert.deepEqual(await unexpected(`${identity}.999`, 503, ['unavailable'], { 'retry-after': '1' }), []);
  });

  it('must be one of this data set, at every endpoint', async () => {
    assert.deepEqual(await unexpected('zzzzzzzz.1', 412, ['precondition-failed']), []);
  });

  it('must have the form that responses have, at every endpoint', async () => {
    for (const token of [`${identity}.`, `${identity}.-1`, `${identity}.1e3`, '%00']) {
      assert.deepEqual(await unexpected(token, 400, ['bad-arguments', 'bad-query']), [], token);
    }
    // Where a graph is read, a plain number is one of its states (C-40).
    const others = await unexpected('1', 400, ['bad-arguments', 'bad-query']);
    const reads = ['/context/x', '/store/x'].flatMap((path) => [`GET ${path}`, `HEAD ${path}`]);
    assert.deepEqual(others.map((line) => line.split(':')[0]).sort(), reads.sort());
  });
});
