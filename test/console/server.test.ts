/** The page of the console about the server. It is skipped where Chromium is not installed. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { hashPassword } from '../../src/http/middleware/password.ts';
import { launchBrowser, openPage, withoutBrowser } from '../support/browser.ts';
import { suiteScope } from '../support/scope.ts';
import { startServer } from '../support/server-process.ts';
import {
  assertAccessible,
  assertFitsPhone,
  assertNoComplaints,
  hidePage,
  keepScreenshots,
  openConsole,
  startVocabularyServer,
} from './support/console-page.ts';

/** Sends requests that use the worker pool and the store. */
async function work(url: string, count: number): Promise<void> {
  const query = new URLSearchParams({ path: 'rdfs:label', uri: 'http://schema.org/Person' });
  const select = new URLSearchParams({ query: 'SELECT (COUNT(*) AS ?count) { ?s ?p ?o }' });
  assert.equal((await fetch(`${url}/sparql/select?${select}`)).status, 200);
  for (let i = 0; i < count; i++) {
    assert.equal((await fetch(`${url}/ldpath/path?${query}`)).status, 200);
    const body = `<urn:x:a> <urn:x:p> ${i} .`;
    const headers = { 'Content-Type': 'text/turtle' };
    assert.ok((await fetch(`${url}/context?graph=urn:x:g`, { method: 'PUT', headers, body })).ok);
  }
}

const isMetrics = (request: { url(): string }) => request.url().endsWith('/metrics');

/** A plot with values that are not 0. */
const plotWithData = (page: Page, title: string) =>
  page.getByRole('img', { name: new RegExp(`^${title}: .*[1-9]`) });

describe('the page about the server', { skip: withoutBrowser, timeout: 300_000 }, () => {
  const scope = suiteScope();
  let browser: Browser;
  let url: string;
  before(async () => {
    browser = await launchBrowser(scope);
    ({ url } = await startVocabularyServer(scope));
  });

  it('shows health, plots of metrics, and the same numbers in a table', async () => {
    const watched = await openConsole(browser, url, 'server#interval=2&shown=60');
    const { page } = watched;
    await page.getByRole('status').getByText('Ready', { exact: true }).waitFor();
    await page.getByText(process.version, { exact: true }).waitFor();
    await plotWithData(page, 'Triples').waitFor();
    await work(url, 20);
    for (const title of ['Requests per second', 'Response time', 'Results per second', 'Memory']) {
      await plotWithData(page, title).waitFor();
    }
    await plotWithData(page, 'Commits per second').waitFor();
    for (const count of [40, 10, 60]) {
      await work(url, count);
      await page.waitForResponse(`${url}/metrics`);
    }
    await keepScreenshots(page, 'server');
    await page.getByText('The same as a table').click();
    await page.getByRole('row', { name: /^Triples: all graphs [1-9]/ }).waitFor();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await assertAccessible(page);
    }
    await assertFitsPhone(page);
    assertNoComplaints(watched);
  });

  it('draws on the canvases, and draws them again in the colours of another theme', async () => {
    const { page } = await openConsole(browser, url, 'server');
    await plotWithData(page, 'Triples').waitFor();
    const picture = 'document.querySelector(".plot canvas").toDataURL()';
    const light = await page.evaluate<string>(picture);
    await page.getByRole('button', { name: 'Use dark colours' }).click();
    while ((await page.evaluate<string>(picture)) === light);
  });

  it('computes quantiles and rates from what was counted between two readings', async () => {
    const histogram = 'pathpool_http_request_duration_seconds_bucket{route="/resource",method="GET",le=';
    const buckets = (counts: readonly number[]) =>
      ['0.1', '0.2', '+Inf'].map((limit, i) => `${histogram}"${limit}"} ${counts[i]}`).join('\n');
    const total = (count: number) =>
      `pathpool_http_requests_total{route="/resource",method="GET",status="200"} ${count}`;
    // Between the two, 90 requests took at most 0.1 s, and 10 took 0.1 to 0.2 s.
    const texts = [
      `${buckets([50, 50, 60])}\n${total(60)}\n`,
      `${buckets([140, 150, 160])}\n${total(160)}\n`,
    ];
    const watched = await openPage(browser, { origin: new URL(url).origin });
    const { page } = watched;
    let readings = 0;
    await page.route('**/metrics', (route) =>
      route.fulfill({ contentType: 'text/plain', body: texts[Math.min(readings++, 1)]! }),
    );
    await page.goto(`${url}/console/server`);
    await page.getByRole('img', { name: 'Response time: p50 55.6 ms, p99 190 ms' }).waitFor();
    assertNoComplaints(watched);
  });

  it('asks once in the interval while it is visible, and not while it is hidden', async () => {
    const { page } = await openPage(browser, { origin: new URL(url).origin });
    await page.clock.install();
    const times: number[] = [];
    page.on('request', (request) => {
      if (isMetrics(request)) times.push(Date.now());
    });
    await page.goto(`${url}/console/server`);
    while (times.length < 3) await page.waitForRequest(isMetrics);
    // A little less than twice the interval: the messages of the browser are delayed.
    assert.ok(times[2]! - times[0]! > 3500, `three requests in ${times[2]! - times[0]!} ms`);
    await hidePage(page, true);
    const before = times.length;
    await page.clock.runFor(60_000);
    assert.equal(times.length, before);
    const asked = page.waitForRequest(isMetrics);
    await hidePage(page, false);
    await asked;
  });

  it('shows the settings in force, first those that differ from the default', async () => {
    const { page } = await openConsole(browser, url, 'server');
    const settings = page.getByRole('region', { name: 'Settings' });
    await settings.getByRole('row', { name: /^threads 2 flag \(--threads\)/ }).waitFor();
    const sources = await settings.locator('tbody td:nth-child(3)').allTextContents();
    const set = sources.filter((source) => source !== 'default').length;
    assert.ok(set >= 3 && sources.slice(0, set).every((source) => source !== 'default'), sources.join());
    await settings.getByLabel('Filter').fill('body-time');
    await settings.getByText(/^[1-3] of \d+ settings/).waitFor();
    assert.equal(await settings.getByRole('row', { name: /^threads / }).count(), 0);
  });

  it('leads to the description of the interface', async () => {
    const { page } = await openConsole(browser, url, 'server');
    const link = page.getByRole('link', { name: 'The HTTP interface' });
    assert.equal(await link.getAttribute('href'), `${url}/openapi`);
    assert.equal((await fetch(`${url}/openapi.json`)).status, 200);
  });

  it('says why the server is not ready', async () => {
    const { page } = await openPage(browser, { origin: new URL(url).origin });
    const reasons = [{ reason: 'writes-off', detail: 'The disk is full.' }];
    const health = {
      ...{ status: 'not-ready', reasons, damaged: { count: 1, digests: ['abc'] } },
      ...{ version: '1', node: 'v1', front: 'uws', uptime: 1 },
    };
    await page.route('**/health', (route) => route.fulfill({ json: health }));
    await page.goto(`${url}/console/server`);
    await page.getByRole('status').getByText('Not ready', { exact: true }).waitFor();
    await page.getByText('writes-off The disk is full.').waitFor();
    await page.getByText('1 file', { exact: true }).waitFor();
  });

  it('works without metrics, and asks for credentials for the settings only on demand', async (context) => {
    const hash = await hashPassword('secret', { logCost: 4, blockSize: 8, parallelism: 1 });
    const access = ['--credential', `read anna ${hash}`, '--public-read'];
    const args = ['--memory', '--threads', '1', '--metrics', 'off', ...access];
    const server = await startServer(context, args, {}, null);
    const watched = await openConsole(browser, server.url, 'server');
    const { page } = watched;
    await page.getByText('This server keeps no metrics').waitFor();
    await page.getByRole('status').getByText('Ready', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Sign in to see settings' }).click();
    const dialog = page.getByRole('dialog', { name: 'Sign in' });
    await dialog.getByLabel('Name').fill('anna');
    await dialog.getByLabel('Password or token').fill('secret');
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    const row = page.getByRole('row', { name: /^credential/ });
    await row.getByText('(hidden)').waitFor();
    assertNoComplaints(watched, /status of (401|404)/);
  });
});
