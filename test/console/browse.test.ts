/** The page of graphs, and the search for resources. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
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
  keepScreenshots,
  openConsole,
  SCHEMA,
  startVocabularyServer,
} from './support/console-page.ts';

const GRAPHS = 3000;

describe('the page of graphs', { skip: withoutBrowser, timeout: 300_000 }, () => {
  const scope = suiteScope();
  let browser: Browser;
  let url: string;
  before(async () => {
    browser = await launchBrowser(scope);
    ({ url } = await startVocabularyServer(scope));
    const quads = Array.from(
      { length: GRAPHS },
      (_, i) => `<http://example.org/s> <http://example.org/p> "${i}" <http://example.org/graph/${i}> .`,
    );
    await write('dataset', { method: 'POST', type: 'application/n-quads', body: quads.join('\n') });
  });

  async function write(
    path: string,
    request: { method: string; type?: string; body?: string },
  ): Promise<void> {
    const { method, type = 'text/turtle', body } = request;
    const init = { method, headers: { 'Content-Type': type }, ...(body !== undefined && { body }) };
    const response = await fetch(`${url}/${path}`, init);
    assert.ok(response.ok, `${method} ${path}: ${response.status} ${await response.text()}`);
  }

  const graphPath = (graph: string) => `context?graph=${encodeURIComponent(graph)}`;

  it('lists thousands of graphs with their sizes, of which few are in the document', async () => {
    const watched = await openConsole(browser, url, 'browse');
    const { page } = watched;
    await page.getByText(/^3,002 graphs with [\d,]+ triples$/).waitFor();
    const rows = await page.getByRole('table', { name: 'Graphs' }).getByRole('row').count();
    assert.ok(rows > 5 && rows < 100, `${rows} rows`);
    assertNoComplaints(watched);
  });

  it('filters and sorts the graphs, and the address keeps that', async () => {
    const watched = await openConsole(browser, url, 'browse');
    const { page } = watched;
    await page.getByLabel('Filter').fill('graph/299');
    await page.getByText(/^11 of 3,002 graphs/).waitFor();
    await page.getByLabel('Filter').fill('');
    await page.getByLabel('Sort by').selectOption('size');
    await page.waitForURL(/#order=size$/);
    await page.reload();
    await page.getByText(/^3,002 graphs/).waitFor();
    const first = page.getByRole('table', { name: 'Graphs' }).getByRole('link').first();
    assert.equal(await first.textContent(), SCHEMA);
    await keepScreenshots(page, 'browse');
    assertNoComplaints(watched);
  });

  it('shows the subjects of a graph page by page, with labels, types and links', async () => {
    const watched = await openConsole(browser, url, 'browse');
    const { page } = watched;
    await page.getByLabel('Filter').fill('schema.org');
    await page.getByRole('link', { name: SCHEMA }).click();
    await page.getByText(/^The first 500 of 3,187 subjects/).waitFor();
    await page.getByRole('button', { name: 'More subjects' }).click();
    await page.getByText(/^The first 1,000 of 3,187 subjects/).waitFor();
    const subjects = page.getByRole('table', { name: 'Subjects' });
    await subjects.getByRole('row', { name: /rdf:Property.*rdfs:Class/ }).waitFor();
    await assertAccessible(page);
    await subjects.getByRole('link', { name: 'rdf:Property' }).click();
    await page.getByRole('heading', { name: 'Properties' }).waitFor();
    assertNoComplaints(watched);
  });

  it('downloads a graph in a format that the user chooses', async () => {
    const address = `browse?graph=${encodeURIComponent('http://example.org/graph/1')}`;
    const watched = await openConsole(browser, url, address);
    const { page } = watched;
    await page.getByLabel('Format of the file').selectOption('N-Quads');
    const begun = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download' }).click();
    const download = await begun;
    assert.equal(download.suggestedFilename(), '1.nq');
    assert.match(await readFile(await download.path(), 'utf8'), /"1" <http:\/\/example\.org\/graph\/1> \./);
    assertNoComplaints(watched);
  });

  it('deletes a graph after a question, unless it has changed since', async () => {
    const graph = 'http://example.org/deleted';
    await write(graphPath(graph), { method: 'PUT', body: '<s> <p> 1 .' });
    const watched = await openConsole(browser, url, `browse?graph=${encodeURIComponent(graph)}`);
    const { page } = watched;
    const dialog = page.getByRole('dialog', { name: 'Delete the graph?' });
    const remove = dialog.getByRole('button', { name: 'Delete' });
    await page.getByRole('button', { name: 'Delete the graph' }).click();
    await page.locator('dialog button:enabled:text-is("Delete")').waitFor();
    await assertAccessible(page);
    await write(graphPath(graph), { method: 'POST', body: '<s> <p> 2 .' });
    await remove.click();
    await dialog.getByText('was changed while this dialog was open').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Delete the graph' }).click();
    await remove.click();
    await page.getByText(`The graph ${graph} was deleted.`).waitFor();
    assert.equal((await fetch(`${url}/${graphPath(graph)}`)).status, 404);
    assertNoComplaints(watched, /status of 412/);
  });

  it('says so when there is no such graph', async () => {
    const watched = await openConsole(browser, url, 'browse?graph=http://example.org/none');
    await watched.page.getByText('The server has no such graph').waitFor();
    assertNoComplaints(watched);
  });

  it('finds resources by the beginning of an IRI or of a prefixed name, as one types', async () => {
    const watched = await openConsole(browser, url, 'browse');
    const { page } = watched;
    const hits = page.getByRole('list', { name: 'Resources' });
    await page.getByLabel('Find a resource').fill('schema:Pers');
    await hits.getByRole('link', { name: 'schema:Person' }).waitFor();
    await page.getByLabel('Find a resource').fill('http://schema.org/Movie');
    await hits.getByRole('link', { name: 'schema:MovieTheater' }).waitFor();
    await assertAccessible(page);
    await page.getByLabel('Find a resource').fill('schema:Movie');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Movie' }).waitFor();
    assert.equal(new URL(page.url()).searchParams.get('uri'), `${SCHEMA}Movie`);
    assertNoComplaints(watched);
  });

  it('finds resources by a part of their label, also if it has quotes in it', async () => {
    const label = `A "quoted" 'label' \\`;
    await write(graphPath('http://example.org/labels'), {
      method: 'PUT',
      body: `<http://example.org/quoted> <http://www.w3.org/2000/01/rdf-schema#label> ${JSON.stringify(label)} .`,
    });
    const watched = await openConsole(browser, url, 'browse');
    const { page } = watched;
    await page.getByLabel('Find a resource').fill(`"QUOTED" 'label' \\`);
    await page.getByRole('button', { name: 'Search labels' }).click();
    await page.getByText('1 resource.').waitFor();
    const hits = page.getByRole('list', { name: 'Resources' });
    assert.match((await hits.textContent()) ?? '', /http:\/\/example\.org\/quoted A "quoted"/);
    await page.getByLabel('Find a resource').fill('birth');
    await page.keyboard.press('Enter');
    await hits.getByRole('link', { name: 'schema:birthDate' }).waitFor();
    assertNoComplaints(watched);
  });

  it('has no violation of axe, light and dark, and fits a phone', async () => {
    const { page } = await openConsole(browser, url, 'browse');
    await page.getByText(/^3,\d+ graphs/).waitFor();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await assertAccessible(page);
    }
    await assertFitsPhone(page);
  });

  it('shows what the server says to a user who may only read', async (context) => {
    const hash = await hashPassword('secret', { logCost: 4, blockSize: 8, parallelism: 1 });
    const args = ['--memory', '--threads', '1', '--sparql-threads', '0', '--credential', `read anna ${hash}`];
    const server = await startServer(context, args, {}, 'https://data.example.org/store');
    const graph = 'https://data.example.org/store/context/default';
    const address = `browse?graph=${encodeURIComponent(graph)}`;
    const watched = await openConsole(browser, `${server.url}/store`, address);
    const { page } = watched;
    const dialog = page.getByRole('dialog', { name: 'Sign in' });
    await dialog.getByLabel('Name').fill('anna');
    await dialog.getByLabel('Password or token').fill('secret');
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Delete the graph' }).click();
    await page.locator('dialog button:enabled:text-is("Delete")').click();
    await page.getByRole('dialog').getByText('(forbidden)').waitFor();
    assertNoComplaints(watched, /status of 40[13]/);
  });
});
