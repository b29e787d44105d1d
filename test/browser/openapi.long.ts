/** The page of the interface in Chromium. It is skipped where that is not installed. */
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { before, describe, it } from 'node:test';
import type { Browser, Locator, Page } from 'playwright-core';
import { tags } from '../../src/http/description/operation-tags.ts';
import { hashPassword } from '../../src/http/middleware/password.ts';
import { launchBrowser, openPage, withoutBrowser } from '../support/browser.ts';
import type { OpenApiDocument } from '../support/openapi-examples.ts';
import { type Scope, suiteScope } from '../support/scope.ts';
import { startServer } from '../support/server-process.ts';

const SERVER = ['--memory', '--threads', '1'];

/** Opens a group of operations, and returns it. */
async function openGroup(page: Page, tag: string): Promise<Locator> {
  const group = page.locator('.opblock-tag-section').filter({ has: page.locator(`[data-tag="${tag}"]`) });
  await group.locator('.opblock-tag').click();
  await group.locator('.opblock').first().waitFor();
  return group;
}

/** Opens the form of an operation, fills it in, sends the request, and returns status and body. */
async function tryOut(
  operation: Locator,
  fields: Readonly<Record<string, string>>,
): Promise<{ status: string; body: string }> {
  await operation.locator('.opblock-summary-control').click();
  await operation.getByRole('button', { name: 'Try it out' }).click();
  for (const [name, value] of Object.entries(fields)) {
    await operation.locator(`tr[data-param-name="${name}"] input`).fill(value);
  }
  await operation.getByRole('button', { name: 'Execute' }).click();
  const response = operation.locator('.live-responses-table tbody .response').first();
  await response.waitFor();
  const status = (await response.locator('.response-col_status').innerText()).trim();
  const text = response.locator('.highlight-code, pre').first();
  return { status, body: (await text.count()) > 0 ? await text.innerText() : '' };
}

function operationOf(group: Locator, method: string, path: string): Locator {
  return group.locator(`.opblock-${method}`).filter({
    has: group.page().locator(`[data-path="${path}"]`),
  });
}

/** The numbers of operations of the groups that a document has, without HEAD and OPTIONS. */
function countsOf({ paths }: OpenApiDocument): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of Object.values(paths)) {
    for (const [method, operation] of Object.entries(item)) {
      if (method === 'head' || method === 'options') continue;
      const [tag = ''] = (operation as unknown as { tags: string[] }).tags;
      counts.set(tag, (counts.get(tag) ?? 0) + 1);
    }
  }
  return counts;
}

/** A server of a page that breaks each rule which the other cases check. */
async function faultyPage(scope: Scope): Promise<string> {
  const server: Server = createServer((_request, response) => {
    response.setHeader('Content-Security-Policy', "default-src 'none'; script-src 'self'; img-src *");
    response.setHeader('Content-Type', 'text/html');
    response.end('<title>x</title><script>1</script><img src="http://elsewhere.test/pixel">');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  scope.after(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('the page of the interface in a browser', { skip: withoutBrowser, timeout: 300_000 }, () => {
  const scope = suiteScope();
  let browser: Browser;
  let url: string;
  before(async () => {
    browser = await launchBrowser(scope);
    ({ url } = await startServer(scope, SERVER, {}, null));
  });

  it('is watched for violations of its policy and requests to other hosts', async (context) => {
    const origin = await faultyPage(context);
    const { page, complaints } = await openPage(browser, { origin });
    await page.goto(origin, { waitUntil: 'networkidle' });
    const all = complaints.join('\n');
    assert.match(all, /forbidden by script-src-elem: inline/);
    assert.match(all, /request to http:\/\/elsewhere\.test\/pixel/);
  });

  it('shows every group with all of its operations, without an error (T-21)', async () => {
    const { page, complaints } = await openPage(browser, { origin: url });
    await page.goto(`${url}/openapi`);
    await page.locator('.opblock-tag').first().waitFor();
    const shown = await page.locator('.opblock-tag').all();
    const names = await Promise.all(shown.map((each) => each.getAttribute('data-tag')));
    assert.deepEqual(names, Object.keys(tags));
    const counts = countsOf((await (await fetch(`${url}/openapi.json`)).json()) as OpenApiDocument);
    for (const tag of Object.keys(tags)) {
      const group = await openGroup(page, tag);
      assert.equal(await group.locator('.opblock').count(), counts.get(tag), tag);
    }
    assert.deepEqual(complaints, []);
  });

  it('sends a GET and a PUT that are tried out, and shows the responses (T-21)', async () => {
    const { page, complaints } = await openPage(browser, { origin: url });
    await page.goto(`${url}/openapi`);
    const ldpath = await openGroup(page, 'LDPath');
    const read = await tryOut(operationOf(ldpath, 'get', '/ldpath/util/prefix'), { prefix: 'foaf' });
    assert.equal(read.status, '200');
    assert.match(read.body, /"foaf": "http:\/\/xmlns\.com\/foaf\/0\.1\/"/);
    const contexts = await openGroup(page, 'Contexts');
    const write = await tryOut(operationOf(contexts, 'put', '/context'), { graph: 'urn:x:tried' });
    assert.equal(write.status, '201');
    assert.equal((await fetch(`${url}/context?graph=urn:x:tried`)).status, 200);
    assert.deepEqual(complaints, []);
  });

  it('works below the path of the base (T-21)', async (context) => {
    const server = await startServer(context, SERVER, {}, 'https://data.example.org/store');
    const { page, complaints } = await openPage(browser, { origin: server.url });
    await page.goto(`${server.url}/store/openapi`);
    const group = await openGroup(page, 'LDPath');
    const { status } = await tryOut(operationOf(group, 'get', '/ldpath/util/namespaces'), {});
    assert.equal(status, '200');
    assert.deepEqual(complaints, []);
  });

  it('works with credentials, for which the browser asks (T-21)', async (context) => {
    const hash = await hashPassword('secret', { logCost: 4, blockSize: 8, parallelism: 1 });
    const server = await startServer(context, [...SERVER, '--credential', `read anna ${hash}`], {}, null);
    const login = { username: 'anna', password: 'secret' };
    const { page, complaints } = await openPage(browser, { origin: server.url, login });
    await page.goto(`${server.url}/openapi`);
    const group = await openGroup(page, 'Server');
    const { status, body } = await tryOut(operationOf(group, 'get', '/health'), {});
    assert.equal(status, '200');
    assert.match(body, /"status"/);
    assert.deepEqual(complaints, []);
  });
});
