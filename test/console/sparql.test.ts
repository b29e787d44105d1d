/** The SPARQL page of the console. It is skipped where Chromium is not installed. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
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
  startVocabularyServer,
} from './support/console-page.ts';

const EDITOR = 'SPARQL query or update';
const CLASSES = 'SELECT ?class ?label { ?class a rdfs:Class ; rdfs:label ?label } ORDER BY ?class LIMIT 30';
const COUNTS = `SELECT ?property (COUNT(*) AS ?uses) { ?s ?property ?o } GROUP BY ?property ORDER BY DESC(?uses) LIMIT 12`;
/** 100,000 rows: a product of five lists of ten values. */
const DIGITS = '{ VALUES ?v { 0 1 2 3 4 5 6 7 8 9 } }';
const MANY = `SELECT (1${['a', 'b', 'c', 'd', 'e'].map((name, i) => ` + ${10 ** i} * ?${name}`).join('')} AS ?n) {
  ${['a', 'b', 'c', 'd', 'e'].map((name) => DIGITS.replace('?v', `?${name}`)).join('\n  ')}
}`;

/** Replaces the text of the editor. */
async function type(page: Page, text: string): Promise<void> {
  await page.getByLabel(EDITOR).click();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Delete');
  await page.keyboard.insertText(text);
}

async function run(page: Page, text: string): Promise<void> {
  await type(page, text);
  await page.keyboard.press('Control+Enter');
}

function status(page: Page, text: string | RegExp) {
  return page.getByRole('region', { name: 'Result' }).getByRole('status').filter({ hasText: text });
}

describe('the SPARQL page', { skip: withoutBrowser, timeout: 300_000 }, () => {
  const scope = suiteScope();
  let browser: Browser;
  let url: string;
  before(async () => {
    browser = await launchBrowser(scope);
    ({ url } = await startVocabularyServer(scope));
  });
  const open = (state = '') => openConsole(browser, url, `sparql${state}`);

  it('declares known prefixes, and shows SELECT as a table with links, sorted by a column', async () => {
    const watched = await open();
    const { page } = watched;
    await run(page, CLASSES);
    await status(page, '30 rows').waitFor();
    assert.match(await page.getByLabel(EDITOR).innerText(), /^PREFIX rdfs: <http:.*rdf-schema#>\nSELECT/);
    const table = page.getByRole('table', { name: 'Solutions' });
    const link = table.getByRole('link').first();
    const first = await link.getAttribute('href');
    assert.match(first ?? '', /^resource\?uri=http/);
    const heading = table.getByRole('button', { name: 'class' });
    await heading.click();
    await heading.click();
    await table.locator('th[aria-sort=descending]').waitFor();
    assert.notEqual(await link.getAttribute('href'), first);
    assertNoComplaints(watched);
  });

  it('scrolls through 100,000 rows with few of them in the document', async () => {
    const watched = await open();
    const { page } = watched;
    await run(page, MANY);
    await status(page, '100,000 rows').waitFor();
    const table = page.getByRole('table', { name: 'Solutions' });
    await table.getByRole('button', { name: 'n' }).click();
    await table.locator('th[aria-sort=ascending]').waitFor();
    await page.getByRole('region', { name: 'Solutions' }).focus();
    await page.keyboard.press('End');
    await table.locator('tr[aria-rowindex="100001"]').getByText('100000').waitFor();
    assert.ok((await table.locator('tr').count()) < 100);
    await page.getByRole('tab', { name: 'Chart' }).click();
    await page.getByText('the first 200 of 100000 rows').waitFor();
    assertNoComplaints(watched);
  });

  it('draws a chart of a column of numbers, and says when there is none', async () => {
    const watched = await open();
    const { page } = watched;
    await run(page, 'SELECT ?s { ?s ?p ?o } LIMIT 3');
    await status(page, '3 rows').waitFor();
    await page.getByRole('tab', { name: 'Chart' }).click();
    await page.getByText('There is nothing to plot').waitFor();
    await run(page, COUNTS);
    await status(page, '12 rows').waitFor();
    await page.getByRole('tab', { name: 'Chart' }).click();
    const chart = page.getByRole('table', { name: 'uses by property' });
    assert.equal(await chart.locator('.bar').count(), 12);
    await keepScreenshots(page, 'sparql');
    assertNoComplaints(watched);
  });

  it('shows CONSTRUCT as Turtle and as a graph', async () => {
    const watched = await open();
    const { page } = watched;
    await run(page, 'CONSTRUCT { ?s rdfs:subClassOf ?o } { ?s rdfs:subClassOf ?o } LIMIT 5');
    await page.getByLabel('Result as Turtle').getByText('rdfs:subClassOf').first().waitFor();
    await page.getByRole('tab', { name: 'Graph' }).click();
    const drawing = page.getByRole('region', { name: 'Graph of the result' });
    await drawing.getByText('rdfs:subClassOf').nth(4).waitFor();
    assert.match((await drawing.locator('a').first().getAttribute('href')) ?? '', /^resource\?uri=/);
    assertNoComplaints(watched);
  });

  it('says yes or no for ASK', async () => {
    const { page } = await open();
    await run(page, 'ASK { ?s a rdfs:Class }');
    await status(page, 'Yes').waitFor();
    await run(page, 'ASK { ?s a <urn:none> }');
    await status(page, 'No (false)').waitFor();
  });

  it('underlines the place of an error, counted in characters', async () => {
    const watched = await open();
    const { page } = watched;
    await run(page, 'SELECT * {\n  ?s ?p "😀😀" . ?s none:such ?x }');
    await page.getByRole('alert').waitFor();
    assert.equal(await page.locator('.cm-lintRange-error').innerText(), 'none:such');
    await run(page, 'SELECT * { ?s ?p ?o } LIMIT 1');
    await status(page, '1 row').waitFor();
    assert.equal(await page.locator('.cm-lintRange-error').count(), 0);
    assertNoComplaints(watched, /status of 400/);
  });

  it('completes keywords, variables, prefixes and names of the data', async () => {
    const watched = await open();
    const { page } = watched;
    await type(page, 'SELECT ?person { ?p');
    const options = page.getByRole('option');
    await options.filter({ hasText: '?person' }).click();
    await page.keyboard.type(' schema:additionalN');
    await options.filter({ hasText: 'schema:additionalName' }).click();
    await page.keyboard.type(' ?name } ORD');
    await options.filter({ hasText: 'ORDER' }).click();
    assert.match(
      await page.getByLabel(EDITOR).innerText(),
      /^PREFIX schema: <http:\/\/schema.org\/>\nSELECT \?person { \?person schema:additionalName \?name } ORDER/,
    );
    assertNoComplaints(watched);
  });

  it('runs an update after a confirmation', async () => {
    const watched = await open();
    const { page } = watched;
    await run(page, 'INSERT DATA { GRAPH <urn:x:updates> { <urn:x:s> <urn:x:p> 1 } }');
    const dialog = page.getByRole('dialog', { name: 'Run this update?' });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await run(page, 'ASK { GRAPH <urn:x:updates> { ?s ?p ?o } }');
    await status(page, 'No (false)').waitFor();
    await run(page, 'INSERT DATA { GRAPH <urn:x:updates> { <urn:x:s> <urn:x:p> 1 } }');
    await assertAccessible(page);
    await dialog.getByRole('button', { name: 'Run the update' }).click();
    await status(page, 'The update is stored').waitFor();
    await run(page, 'ASK { GRAPH <urn:x:updates> { ?s ?p ?o } }');
    await status(page, 'Yes').waitFor();
    assertNoComplaints(watched);
  });

  it('cancels a query', async () => {
    const watched = await open();
    const { page } = watched;
    await run(
      page,
      'SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i FILTER(?c != ?f && ?f != ?i) }',
    );
    await page.getByRole('button', { name: 'Cancel' }).click();
    await status(page, 'Cancelled').waitFor();
    assertNoComplaints(watched);
  });

  it('keeps the query in the address and in the history, and writes the same for curl', async () => {
    const watched = await open();
    const { page } = watched;
    await run(page, "SELECT * { ?s ?p 'shared' }");
    await status(page, '0 rows').waitFor();
    await page.waitForURL(/#query=.*shared/);
    await page.reload();
    await page.getByLabel(EDITOR).getByText('shared').waitFor();
    await page.getByRole('button', { name: 'Share' }).click();
    const snippet = (name: string) => page.getByRole('region', { name }).locator('pre').innerText();
    assert.match(await snippet('Link'), /\/console\/sparql#query=SELECT.*shared/);
    await assertAccessible(page);
    assert.match(
      await snippet('curl'),
      /^curl 'http:[^']*\/query' [\s\S]*'SELECT \* \{ \?s \?p '\\''shared'\\'' \}'$/,
    );
    await page.keyboard.press('Escape');
    await type(page, 'ASK {}');
    await page.getByRole('button', { name: 'History' }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /shared/ })
      .click();
    await page.getByLabel(EDITOR).getByText('shared').waitFor();
    assertNoComplaints(watched);
  });

  it('saves a result as a file', async () => {
    const { page } = await open();
    await run(page, 'SELECT ?n { VALUES ?n { 1 2 } }');
    await page.getByLabel('Format of the file').selectOption('CSV');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download' }).click(),
    ]);
    assert.equal(download.suggestedFilename(), 'result.csv');
    assert.equal(await readFile(await download.path(), 'utf8'), 'n\r\n1\r\n2\r\n');
  });

  it('has no violation of axe, light and dark, and fits a phone', async () => {
    const { page } = await open();
    await run(page, CLASSES);
    await status(page, '30 rows').waitFor();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await assertAccessible(page);
    }
    await page.getByRole('tab', { name: 'Chart' }).click();
    await assertAccessible(page);
    await run(page, 'CONSTRUCT WHERE { ?s rdfs:subClassOf ?o } LIMIT 5');
    await page.getByRole('tab', { name: 'Graph' }).click();
    await page.locator('.graph-view svg').waitFor();
    await assertAccessible(page);
    await assertFitsPhone(page);
  });

  it('says that SPARQL is switched off, and that an update needs another role', async (context) => {
    const hash = await hashPassword('secret', { logCost: 4, blockSize: 8, parallelism: 1 });
    const args = ['--memory', '--threads', '1', '--sparql-threads', '0', '--credential', `read anna ${hash}`];
    const server = await startServer(context, args, {}, null);
    const watched = await openConsole(browser, server.url, 'sparql');
    const { page } = watched;
    const dialog = page.getByRole('dialog', { name: 'Sign in' });
    await page.getByRole('button', { name: 'Run' }).click();
    await dialog.getByLabel('Name').fill('anna');
    await dialog.getByLabel('Password or token').fill('secret');
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').filter({ hasText: 'SPARQL is switched off' }).waitFor();
    await run(page, 'INSERT DATA { <urn:x:s> <urn:x:p> 1 }');
    await page.getByRole('button', { name: 'Run the update' }).click();
    await page.getByText('need credentials with the role write').waitFor();
    assertNoComplaints(watched, /status of (401|403|503)/);
  });
});
