/** The page of a resource. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
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

const REFERRERS = 100_000;
const PEOPLE = 'http://example.org/people';

const people = `
@prefix : <http://example.org/> .
@prefix foaf: <http://xmlns.com/foaf/0.1/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:anna a foaf:Person ;
  rdfs:label "Anna"@en, "Änne"@de ;
  foaf:age 7 ;
  foaf:homepage <http://anna.example.org/>, <javascript:alert(1)> ;
  foaf:knows [ foaf:name "Nameless" ; foaf:knows :anna ] .
`;

/** A PNG of one pixel. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

const pageOf = (uri: string) => `resource?uri=${encodeURIComponent(uri)}`;

describe('the page of a resource', { skip: withoutBrowser, timeout: 300_000 }, () => {
  const scope = suiteScope();
  let browser: Browser;
  let url: string;
  before(async () => {
    browser = await launchBrowser(scope);
    ({ url } = await startVocabularyServer(scope));
    await put(`context?graph=${PEOPLE}`, 'text/turtle', people);
  });

  async function put(path: string, type: string, body: string | Uint8Array): Promise<void> {
    const init = { method: 'PUT', headers: { 'Content-Type': type }, body };
    const response = await fetch(`${url}/${path}`, init);
    assert.ok(response.ok, `PUT ${path}: ${response.status} ${await response.text()}`);
  }

  it('shows label, types, properties in both directions, and graphs', async () => {
    const watched = await openConsole(browser, url, pageOf(`${SCHEMA}Person`));
    const { page } = watched;
    await page.getByRole('heading', { level: 1, name: 'Person' }).waitFor();
    await page.getByText('is a rdfs:Class').waitFor();
    assert.equal(await page.title(), 'Person · Pathpool');
    const outgoing = page.getByRole('region', { name: 'Properties' });
    await outgoing.getByRole('link', { name: 'schema:Thing' }).waitFor();
    const incoming = page.getByRole('region', { name: 'Referred to by' });
    await incoming.getByRole('link', { name: 'schema:domainIncludes' }).waitFor();
    const graphs = page.getByRole('region', { name: 'Graphs' });
    await graphs.getByRole('link', { name: SCHEMA }).waitFor();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await assertAccessible(page);
    }
    await assertFitsPhone(page);
    await keepScreenshots(page, 'resource');
    assertNoComplaints(watched);
  });

  it('leads to other resources without loading the document again', async () => {
    const watched = await openConsole(browser, url, pageOf(`${SCHEMA}Person`));
    const { page } = watched;
    await page.evaluate('globalThis.kept = true');
    await page
      .getByRole('region', { name: 'Properties' })
      .getByRole('link', { name: 'schema:Thing', exact: true })
      .click();
    await page.getByRole('heading', { level: 1, name: 'Thing' }).waitFor();
    assert.equal(await page.evaluate('globalThis.kept'), true);
    assertNoComplaints(watched);
  });

  it('shows languages and types of values, and links only web addresses to the outside', async () => {
    const watched = await openConsole(browser, url, pageOf('http://example.org/anna'));
    const { page } = watched;
    await page.getByRole('heading', { level: 1, name: 'Anna' }).waitFor();
    const outgoing = page.getByRole('region', { name: 'Properties' });
    const text = async (property: string) =>
      (await outgoing.locator('.property', { hasText: property }).locator('dd').textContent()) ?? '';
    await outgoing.locator('.property', { hasText: 'rdfs:label' }).waitFor();
    assert.match(await text('rdfs:label'), /Annaen/);
    assert.match(await text('rdfs:label'), /Ännede/);
    assert.match(await text('foaf:age'), /7xsd:integer/);
    await outgoing.getByRole('link', { name: 'Open http://anna.example.org/ in a new tab' }).waitFor();
    const script = outgoing.getByRole('link', { name: 'javascript:alert(1)' });
    assert.equal(await script.count(), 1);
    assert.match((await script.getAttribute('href')) ?? '', /^resource\?uri=javascript/);
    assertNoComplaints(watched);
  });

  it('shows blank nodes in both directions', async () => {
    const watched = await openConsole(browser, url, pageOf('http://example.org/anna'));
    const { page } = watched;
    await page.getByRole('region', { name: 'Properties' }).getByRole('link', { name: /^_:/ }).click();
    await page.getByText('a blank node').waitFor();
    await page.getByRole('region', { name: 'Properties' }).getByText('Nameless').waitFor();
    const incoming = page.getByRole('region', { name: 'Referred to by' });
    await incoming.getByRole('link', { name: 'http://example.org/anna', exact: true }).waitFor();
    await incoming.getByText('Anna', { exact: true }).waitFor();
    assertNoComplaints(watched);
  });

  it('shows a resource to which 100,000 others refer, page by page', async () => {
    const hub = 'http://example.org/hub';
    const body = Array.from(
      { length: REFERRERS },
      (_, i) => `<http://example.org/item/${i}> <http://example.org/partOf> <${hub}> .`,
    );
    await put('context?graph=http://example.org/big', 'application/n-triples', body.join('\n'));
    const watched = await openConsole(browser, url, pageOf(hub));
    const { page } = watched;
    const incoming = page.getByRole('region', { name: 'Referred to by' });
    const items = incoming.locator('dd li');
    await incoming.getByRole('button', { name: 'More of 100,000' }).waitFor();
    assert.equal(await items.count(), 12);
    await incoming.getByRole('button', { name: 'More of 100,000' }).click();
    await items.nth(211).waitFor();
    assert.equal(await items.count(), 212);
    assertNoComplaints(watched);
  });

  it('counts by SPARQL where a resource has more values than one evaluation may have', async (context) => {
    const args = ['--memory', '--threads', '1', '--evaluation-terms', '1000'];
    const server = await startServer(context, args, {}, null);
    const body = Array.from(
      { length: 3000 },
      (_, i) => `<http://example.org/item/${i}> <http://example.org/partOf> <http://example.org/hub> .`,
    ).join('\n');
    const init = { method: 'PUT', headers: { 'Content-Type': 'application/n-triples' }, body };
    assert.equal((await fetch(`${server.url}/context?graph=http://example.org/big`, init)).status, 201);
    const watched = await openConsole(browser, server.url, pageOf('http://example.org/hub'));
    const incoming = watched.page.getByRole('region', { name: 'Referred to by' });
    await incoming.getByRole('button', { name: 'More of 3,000' }).click();
    await incoming.locator('dd li').nth(211).waitFor();
    assertNoComplaints(watched, /status of 504/);
  });

  it('shows an image as an image', async () => {
    const uri = 'http://example.org/picture';
    await put(`content/image/png?uri=${uri}`, 'image/png', PIXEL);
    const watched = await openConsole(browser, url, pageOf(uri));
    const { page } = watched;
    const content = page.getByRole('region', { name: 'Content', exact: true });
    await content.getByText(`image/png, ${PIXEL.length} bytes`).waitFor();
    await content.getByRole('img', { name: `Content of ${uri}` }).waitFor();
    const begun = page.waitForEvent('download');
    await content.getByRole('button', { name: 'Download the content' }).click();
    assert.deepEqual(await readFile(await (await begun).path()), PIXEL);
    await assertAccessible(page);
    assertNoComplaints(watched);
  });

  for (const type of ['text/html', 'image/svg+xml']) {
    it(`shows ${type} as text, never as a document`, async () => {
      const uri = `http://example.org/text/${type}`;
      const text = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
      await put(`content/${type}?uri=${uri}`, type, text);
      const watched = await openConsole(browser, url, pageOf(uri));
      const { page } = watched;
      await page.getByRole('region', { name: 'Content', exact: true }).getByText(text).waitFor();
      await assertAccessible(page);
      assertNoComplaints(watched);
    });
  }

  it('shows changes as they happen while it is watched (F-11)', async () => {
    const uri = 'http://example.org/watched';
    const label = (text: string) =>
      put('context?graph=http://example.org/live', 'text/turtle', `<${uri}> <http://e.org/is> "${text}" .`);
    await label('before');
    const watched = await openConsole(browser, url, pageOf(uri));
    const { page } = watched;
    await page.getByRole('button', { name: 'Watch' }).click();
    await page.getByText('Watching for changes.').waitFor();
    await label('after');
    await page.getByText(/^Changed at .*: 1 added, 1 removed\.$/).waitFor();
    await page.getByRole('region', { name: 'Properties' }).getByText('after').waitFor();
    await assertAccessible(page);
    assertNoComplaints(watched);
  });

  it('says so when the server does not know the resource', async () => {
    const watched = await openConsole(browser, url, pageOf('http://example.org/unknown'));
    await watched.page.getByText('The server does not know this resource').waitFor();
    await assertAccessible(watched.page);
    assertNoComplaints(watched, /status of 404/);
  });

  it('says what is wrong with a text that is no IRI', async () => {
    const watched = await openConsole(browser, url, pageOf('http://example.org/<x>'));
    await watched.page.getByText(/bad-iri/).waitFor();
    assertNoComplaints(watched, /status of 400/);
  });

  it('shows all but the graphs on a server without SPARQL', async (context) => {
    const server = await startServer(
      context,
      ['--memory', '--threads', '1', '--sparql-threads', '0'],
      {},
      'https://data.example.org/store',
    );
    const root = `${server.url}/store`;
    const init = { method: 'PUT', headers: { 'Content-Type': 'text/turtle' }, body: people };
    assert.equal((await fetch(`${root}/context?graph=${PEOPLE}`, init)).status, 201);
    const watched = await openConsole(browser, root, pageOf('http://example.org/anna'));
    const { page } = watched;
    await page.getByRole('region', { name: 'Graphs' }).getByText('They are found by SPARQL').waitFor();
    await page.getByRole('region', { name: 'Properties' }).getByText('Änne').waitFor();
    assertNoComplaints(watched, /status of 503/);
  });
});
