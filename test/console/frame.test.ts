/** What all pages of the console have in common. It is skipped where Chromium is not installed. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { hashPassword } from '../../src/http/middleware/password.ts';
import { launchBrowser, withoutBrowser } from '../support/browser.ts';
import { suiteScope } from '../support/scope.ts';
import { startServer } from '../support/server-process.ts';
import {
  assertAccessible,
  assertFitsPhone,
  assertNoComplaints,
  openConsole,
} from './support/console-page.ts';

const SERVER = ['--memory', '--threads', '1'];

describe('the console', { skip: withoutBrowser, timeout: 300_000 }, () => {
  const scope = suiteScope();
  let browser: Browser;
  let url: string;
  before(async () => {
    browser = await launchBrowser(scope);
    ({ url } = await startServer(scope, SERVER, {}, null));
  });

  it('opens at the root of the server with the playground (T-60)', async () => {
    const watched = await openConsole(browser, url, '');
    await watched.page.goto(url);
    await watched.page.getByRole('heading', { name: 'Playground' }).waitFor();
    assert.equal(new URL(watched.page.url()).pathname, '/console/');
    assertNoComplaints(watched);
  });

  it('opens other pages without loading the document again, and goes back', async () => {
    const watched = await openConsole(browser, url, 'playground');
    const { page } = watched;
    await page.evaluate('globalThis.kept = true');
    await page.getByRole('link', { name: 'Tasks' }).click();
    await page.getByRole('heading', { level: 1, name: 'Tasks' }).waitFor();
    assert.equal(new URL(page.url()).pathname, '/console/tasks');
    assert.equal(await page.evaluate('globalThis.kept'), true);
    await page.goBack();
    await page.getByRole('heading', { name: 'Playground' }).waitFor();
    assertNoComplaints(watched);
  });

  it('is light or dark as the system says, until the user chooses', async () => {
    const watched = await openConsole(browser, url, 'playground');
    const { page } = watched;
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.locator('html[data-theme=dark]').waitFor();
    await page.getByRole('button', { name: 'Use light colours' }).click();
    await page.locator('html[data-theme=light]').waitFor();
    await page.reload();
    await page.locator('html[data-theme=light]').waitFor();
    assertNoComplaints(watched);
  });

  it('moves the focus to the heading of a page that is opened, and shows its beginning', async () => {
    const watched = await openConsole(browser, url, 'server');
    const { page } = watched;
    assert.equal(await page.evaluate('document.activeElement.localName'), 'body');
    await page.getByRole('link', { name: 'Browse' }).press('Enter');
    await page.locator('h1:focus', { hasText: 'Browse' }).waitFor();
    assert.equal(await page.evaluate('scrollY'), 0);
    await page.goBack();
    await page.locator('h1:focus', { hasText: 'Server' }).waitFor();
    assertNoComplaints(watched);
  });

  it('gives the focus back after a dialog', async () => {
    const watched = await openConsole(browser, url, 'browse');
    const { page } = watched;
    await page.getByRole('button', { name: 'Sign in' }).press('Enter');
    await page.locator('input[name=username]:focus').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('button:focus', { hasText: 'Sign in' }).waitFor();
    assertNoComplaints(watched);
  });

  it('says so when the scripts of a page are gone', async () => {
    const watched = await openConsole(browser, url, 'browse');
    const { page } = watched;
    await page.route('**/part-*', (route) => route.fulfill({ status: 404 }));
    await page.getByRole('link', { name: 'Server' }).click();
    await page.getByRole('heading', { name: 'The page cannot be loaded' }).waitFor();
    await page.unroute('**/part-*');
    await page.getByRole('button', { name: 'Load the page again' }).click();
    await page.getByRole('heading', { name: 'Server', level: 1 }).waitFor();
    assertNoComplaints(watched, /status of 404/);
  });

  it('says so when the scripts of a page fail', async () => {
    const watched = await openConsole(browser, url, 'browse');
    const { page } = watched;
    const body = JSON.stringify({ status: 'ready', reasons: [], damaged: null });
    await page.route('**/health', (route) => route.fulfill({ contentType: 'application/json', body }));
    await page.getByRole('link', { name: 'Server' }).click();
    await page.getByRole('heading', { name: 'The page has failed' }).waitFor();
    await page.getByRole('link', { name: 'Browse' }).click();
    await page.getByRole('heading', { name: 'Browse', level: 1 }).waitFor();
    assertNoComplaints(watched);
  });

  it('says so when there is no such page', async () => {
    const watched = await openConsole(browser, url, 'missing');
    await watched.page.getByRole('heading', { name: 'No such page' }).waitFor();
    assertNoComplaints(watched);
  });

  it('works below the path of the base', async (context) => {
    const server = await startServer(context, SERVER, {}, 'https://data.example.org/store');
    const watched = await openConsole(browser, `${server.url}/store`, '');
    await watched.page.getByRole('link', { name: 'Server' }).click();
    await watched.page.getByRole('heading', { level: 1, name: 'Server' }).waitFor();
    assert.equal(new URL(watched.page.url()).pathname, '/store/console/server');
    assertNoComplaints(watched);
  });

  it('has no violation of axe, light and dark, and fits a phone', async () => {
    const watched = await openConsole(browser, url, 'missing');
    for (const colorScheme of ['light', 'dark'] as const) {
      await watched.page.emulateMedia({ colorScheme });
      await assertAccessible(watched.page);
    }
    await assertFitsPhone(watched.page);
  });

  it('loads less than 300 KB, compressed, for the first page', async () => {
    const watched = await openConsole(browser, url, 'missing');
    let bytes = 0;
    const session = await watched.page.context().newCDPSession(watched.page);
    await session.send('Network.enable');
    session.on('Network.loadingFinished', ({ encodedDataLength }) => {
      bytes += encodedDataLength;
    });
    await watched.page.goto(url, { waitUntil: 'networkidle' });
    assert.ok(bytes > 10_000 && bytes < 300_000, `${bytes} bytes`);
  });

  it('asks for credentials when a request needs them, and keeps them for the tab (T-62)', async (context) => {
    const hash = await hashPassword('secret', { logCost: 4, blockSize: 8, parallelism: 1 });
    const server = await startServer(context, [...SERVER, '--credential', `read anna ${hash}`], {}, null);
    const watched = await openConsole(browser, server.url, 'browse');
    const { page } = watched;
    const dialog = page.getByRole('dialog', { name: 'Sign in' });
    await dialog.getByLabel('Name').fill('anna');
    await dialog.getByLabel('Password or token').fill('wrong');
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog.getByText('did not accept').waitFor();
    await assertAccessible(page);
    await dialog.getByLabel('Name').fill('');
    await dialog.getByLabel('Password or token').fill('no header');
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog.getByText('without spaces').waitFor();
    await dialog.getByLabel('Name').fill('anna');
    await dialog.getByLabel('Password or token').fill('secret');
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    assertNoComplaints(watched, /status of 401/);
  });

  it('asks for credentials once a page, not again with each request', async (context) => {
    const hash = await hashPassword('secret', { logCost: 4, blockSize: 8, parallelism: 1 });
    const server = await startServer(context, [...SERVER, '--credential', `read anna ${hash}`], {}, null);
    const watched = await openConsole(browser, server.url, 'browse');
    const { page } = watched;
    const dialog = page.getByRole('dialog', { name: 'Sign in' });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    const answered = page.waitForResponse(/ldpath\/util\/complete/);
    await page.getByLabel('Find a resource').fill('http://e');
    await answered;
    await page.getByRole('search').getByRole('alert').waitFor();
    assert.equal(await dialog.count(), 0);
    await page.getByRole('link', { name: 'Playground', exact: true }).click();
    await dialog.waitFor();
  });
});
