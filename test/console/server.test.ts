/** The page of the console about the server. It is skipped where Chromium is not installed. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser, openPage, withoutBrowser } from '../support/browser.ts';
import { suiteScope } from '../support/scope.ts';
import { startServer } from '../support/server-process.ts';
import {
  assertAccessible,
  assertFitsPhone,
  assertNoComplaints,
  keepScreenshots,
  openConsole,
  startVocabularyServer,
} from './support/console-page.ts';

/** Sends requests that use the worker pool and the store. */
async function work(url: string, count: number): Promise<void> {
  const query = new URLSearchParams({ path: 'rdfs:label', uri: 'http://schema.org/Person' });
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
    ({ url } = await startVocabularyServer(scope, ['--max-problems', '7'].slice(2)));
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
    await page.getByText('The same as a table').click();
    await page.getByRole('row', { name: /^Triples: all graphs [1-9]/ }).waitFor();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await assertAccessible(page);
    }
    await assertFitsPhone(page);
    await page.getByText('The same as a table').click();
    await keepScreenshots(page, 'server');
    assertNoComplaints(watched);
  });

  it('draws on the canvases, and draws them again in the colours of another theme', async () => {
    const { page } = await openConsole(browser, url, 'server');
    await plotWithData(page, 'Triples').waitFor();
    const picture = 'document.querySelector(".plot canvas").toDataURL()';
    const light = await page.evaluate<string>(picture);
    await page.getByRole('button', { name: 'Use dark colours' }).click();
    await page.waitForFunction(`${picture} !== ${JSON.stringify(light)}`);
  });
});
