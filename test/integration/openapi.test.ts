import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { errorCodes } from '../../src/errors.ts';
import { hashPassword } from '../../src/http/middleware/password.ts';
import { examplesOf, type OpenApiDocument } from '../support/openapi-examples.ts';
import { startServer } from '../support/server-process.ts';
import { sharedServer } from '../support/shared-server.ts';

describe('the description of the interface', () => {
  const server = sharedServer(['--memory', '--threads', '2', '--sparql-threads', '1']);
  const readDocument = async () =>
    (await (await fetch(`${server.url}/openapi.json`)).json()) as OpenApiDocument;

  it('is valid OpenAPI 3.1 (T-20)', async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate({ ...(await readDocument()) });
    assert.deepEqual([valid, errors, validator.version], [true, undefined, '3.1']);
  });

  it('has examples that give the documented statuses and bodies, one after the other (T-20)', async () => {
    const wrong: string[] = [];
    const examples = examplesOf(await readDocument());
    assert.ok(examples.length > 100);
    for (const { title, target, init, status, body } of examples) {
      const response = await fetch(`${server.url}${target}`, { redirect: 'manual', ...init });
      const text = await response.text();
      if (response.status !== status) wrong.push(`${title}: ${response.status}, not ${status}: ${text}`);
      else if (typeof body === 'string') assert.equal(text, body, title);
      else if (body !== undefined) assert.deepEqual(JSON.parse(text), body, title);
    }
    assert.deepEqual(wrong, []);
  });

  it('has an example for each operation but HEAD and OPTIONS', async () => {
    const document = await readDocument();
    const shown = new Set(examplesOf(document).map(({ method, path }) => `${method} ${path}`));
    const all = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method} ${path}`),
    );
    const without = all.filter((name) => !shown.has(name) && !/^(head|options) /.test(name));
    assert.deepEqual(without, []);
  });

  it('has every error code that a request can have at one of its paths (T-20)', async () => {
    const { paths, components } = await readDocument();
    const text = JSON.stringify([paths, components.responses]);
    const missing = errorCodes.filter((code) => !text.includes(`"${code}"`));
    // Those of the start, and of methods that no path has.
    assert.deepEqual(missing.sort(), ['data-locked', 'newer-format', 'unknown-method']);
  });

  it('says that the paths for monitors are served while the server loads and shuts down (G-93, G-95)', async () => {
    const { paths } = await readDocument();
    // The name of a shared response has its codes.
    const paused = /#\/components\/responses\/Problem\.503\S*\.(loading|shutting-down)/;
    assert.match(JSON.stringify(paths['/context']), paused);
    for (const path of ['/health', '/metrics', '/health/live']) {
      assert.doesNotMatch(JSON.stringify(paths[path]), paused, path);
    }
  });

  it('has the members that /health has, and needs no credentials (T-10, T-20)', async () => {
    const { security, components } = await readDocument();
    const health = (await (await fetch(`${server.url}/health`)).json()) as object;
    assert.deepEqual(Object.keys(health).sort(), [...components.schemas['Health']!.required!].sort());
    assert.deepEqual(security, []);
  });

  it('has an entity tag, and is JSON only (T-20)', async () => {
    const url = `${server.url}/openapi.json`;
    const tag = (await fetch(url, { method: 'HEAD' })).headers.get('etag') ?? '';
    assert.match(tag, /^"[\w-]+"$/);
    assert.equal((await fetch(url, { headers: { 'If-None-Match': tag } })).status, 304);
    for (const [match, status] of [
      [tag, 200],
      ['*', 200],
      [`W/${tag}`, 412],
      ['"other"', 412],
    ] as const) {
      assert.equal((await fetch(url, { headers: { 'If-Match': match } })).status, status, match);
    }
    assert.equal((await fetch(url, { headers: { Accept: 'text/html' } })).status, 406);
  });

  it('is shown by a page that loads nothing from elsewhere and has no inline script (T-21)', async () => {
    const response = await fetch(`${server.url}/openapi`);
    const policy = response.headers.get('content-security-policy') ?? '';
    assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self';/);
    assert.doesNotMatch(policy, /unsafe|https?:/);
    const page = await response.text();
    const loaded = Array.from(page.matchAll(/(?:src|href)="(\/[^"]*)"/g), ([, target]) => target!);
    assert.equal(loaded.length, 4);
    for (const target of loaded) assert.equal((await fetch(server.url + target)).status, 200);
    assert.doesNotMatch(page, /<style|style=|<script>|\son\w+=/);
    assert.equal((await fetch(`${server.url}/openapi/..%2Fpackage.json`)).status, 404);
  });
});

describe('the description of the interface, elsewhere', () => {
  it('follows the path of the base (T-20, T-21)', async (context) => {
    const base = 'http://pathpool.test/store';
    const { url } = await startServer(context, ['--memory', '--threads', '1'], {}, base);
    const document = (await (await fetch(`${url}/store/openapi.json`)).json()) as OpenApiDocument;
    assert.deepEqual(document.servers, [{ url: base }]);
    assert.match(await (await fetch(`${url}/store/openapi`)).text(), /src="\/store\/openapi\/start\.js"/);
    assert.equal((await fetch(`${url}/openapi.json`)).status, 404);
  });

  it('leaves out what the server does not support, and needs credentials (T-20)', async (context) => {
    const hash = await hashPassword('secret', { logCost: 4, blockSize: 8, parallelism: 1 });
    const args = ['--memory', '--threads', '1', '--keep-tasks', '--credential', `read anna ${hash}`];
    const { url } = await startServer(context, args);
    for (const path of ['/openapi', '/openapi.json', '/openapi/start.js']) {
      assert.equal((await fetch(url + path)).status, 401);
    }
    const headers = { Authorization: `Basic ${btoa('anna:secret')}` };
    const document = (await (await fetch(`${url}/openapi.json`, { headers })).json()) as OpenApiDocument;
    assert.deepEqual(Object.keys(document.paths['/tasks/{group}/{name}'] ?? {}), ['get', 'head', 'options']);
    assert.deepEqual(document.security, [{ basic: [] }, { bearer: [] }]);
    assert.equal(document.paths['/health']!['get']!.security, undefined);
    for (const path of ['/health/live', '/health/ready', '/ping']) {
      const { security, responses } = document.paths[path]!['get']!;
      assert.deepEqual([security, responses['401'], responses['421']], [[], undefined, undefined], path);
    }
    const { security, responses } = document.paths['/console']!['get']!;
    assert.deepEqual([security, responses['401'], '421' in responses], [[], undefined, true]);
  });
});
