/** The page of the console that loads files. It is skipped where Chromium is not installed. */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { hashPassword } from '../../src/http/middleware/password.ts';
import { launchBrowser, withoutBrowser } from '../support/browser.ts';
import { suiteScope } from '../support/scope.ts';
import { startServer } from '../support/server-process.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import {
  assertAccessible,
  assertFitsPhone,
  assertNoComplaints,
  keepScreenshots,
  openConsole,
  SCHEMA,
  startVocabularyServer,
} from './support/console-page.ts';

interface GivenFile {
  readonly name: string;
  readonly text: string | Buffer;
}

function fileInput(page: Page) {
  return page.locator('input[type=file]');
}

/** Chooses files in the page. */
async function choose(page: Page, ...files: readonly GivenFile[]): Promise<void> {
  await fileInput(page).setInputFiles(
    files.map(({ name, text }) => ({
      name,
      mimeType: 'application/octet-stream',
      buffer: Buffer.from(text),
    })),
  );
}

async function load(page: Page, graph: string): Promise<void> {
  await page.getByLabel('Graph', { exact: true }).fill(graph);
  await page.getByRole('button', { name: 'Load' }).click();
}

function triples(count: number, subject = 'urn:x:s'): string {
  return Array.from({ length: count }, (_, i) => `<${subject}> <urn:x:p> "${i}" .\n`).join('');
}

function outcome(page: Page, text: string | RegExp) {
  return page.getByRole('listitem').getByRole('status').filter({ hasText: text });
}

describe('the page that loads files', { skip: withoutBrowser, timeout: 300_000 }, () => {
  const scope = suiteScope();
  let browser: Browser;
  let url: string;
  before(async () => {
    browser = await launchBrowser(scope);
    ({ url } = await startVocabularyServer(scope));
  });
  const open = (query = '') => openConsole(browser, url, `load${query}`);
  const read = async (graph: string) =>
    (await fetch(`${url}/context?graph=${graph}`, { headers: { Accept: 'application/n-triples' } })).text();

  it('loads several files into a new graph, with formats from their names, also compressed', async () => {
    const watched = await open();
    const { page } = watched;
    const xml = `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:x="urn:x:">
      <rdf:Description rdf:about="urn:x:xml"><x:p>1</x:p></rdf:Description></rdf:RDF>`;
    await choose(
      page,
      { name: 'a.ttl', text: '@prefix x: <urn:x:> . x:a x:p x:b, x:c .' },
      { name: 'b.nt.gz', text: gzipSync(triples(3)) },
      { name: 'c.owl', text: xml },
    );
    await page.getByLabel('Graph', { exact: true }).fill('urn:x:several');
    await page.getByText('This is a new graph.').waitFor();
    await page.getByRole('button', { name: 'Load' }).click();
    await outcome(page, 'Stored in a new graph (0 triples before, 2 triples now)').waitFor();
    await outcome(page, 'Added 3 triples (2 triples before, 5 triples now)').waitFor();
    await outcome(page, 'Added 1 triple (5 triples before, 6 triples now)').waitFor();
    const link = page.getByRole('link', { name: 'Browse the graph' }).first();
    assert.equal(await link.getAttribute('href'), 'browse?graph=urn%3Ax%3Aseveral');
    assert.equal((await read('urn:x:several')).trim().split('\n').length, 6);
    assertNoComplaints(watched);
  });

  it('warns before a graph is replaced, and does not replace what has changed since', async () => {
    const watched = await open('?graph=urn:x:replaced');
    const { page } = watched;
    await choose(page, { name: 'a.nt', text: triples(2) });
    await page.getByRole('button', { name: 'Load' }).click();
    await outcome(page, 'Stored in a new graph').waitFor();
    // The page reads the entity tag of what it is going to replace.
    const tagRead = () => page.waitForResponse((response) => response.request().method() === 'HEAD');
    const firstTag = tagRead();
    await page.getByLabel('Replace').check();
    await firstTag;
    const secondTag = tagRead();
    await page.getByText('This graph exists: its 2 triples will be replaced.').waitFor();
    await choose(page, { name: 'b.nt', text: triples(1) });
    await page.getByRole('button', { name: 'Load' }).click();
    await outcome(page, 'Replaced (2 triples before, 1 triple now)').waitFor();
    await page.getByText('its 1 triple will be replaced').waitFor();
    const other = { method: 'PUT', headers: { 'Content-Type': 'text/turtle' }, body: '<a> <b> 1, 2, 3 .' };
    await secondTag;
    await fetch(`${url}/context?graph=urn:x:replaced`, other);
    await choose(page, { name: 'c.nt', text: triples(1) });
    await page.getByRole('button', { name: 'Load' }).click();
    await page.getByText('has changed since this page read it').waitFor();
    assert.equal((await read('urn:x:replaced')).trim().split('\n').length, 3);
    await page.getByText('its 3 triples will be replaced').waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('button', { name: 'Load' }).click();
    await outcome(page, 'Replaced (3 triples before, 1 triple now)').waitFor();
    assertNoComplaints(watched, /status of 412/);
  });

  it('shows the line of an error with a mark under its column', async () => {
    const watched = await open();
    const { page } = watched;
    const text = `${triples(4)}<urn:x:s> <urn:x:p> "ü😀" , .\n${triples(2)}`;
    await choose(page, { name: 'broken.ttl', text }, { name: 'broken.ttl.gz', text: gzipSync(text) });
    await load(page, 'urn:x:broken');
    const excerpts = page.locator('.offending-line');
    await excerpts.first().waitFor();
    await page.getByRole('button', { name: 'Load' }).click();
    await excerpts.nth(1).waitFor();
    assert.equal(await page.getByText('Line 5, column 29').count(), 2);
    for (const shown of await excerpts.allInnerTexts()) {
      assert.deepEqual(shown.split('\n'), ['<urn:x:s> <urn:x:p> "ü😀" , .', '^']);
    }
    assertNoComplaints(watched, /status of 400/);
  });

  it('shows a part of a long line', async () => {
    const watched = await open();
    const { page } = watched;
    const text = `\r\n<urn:x:s> <urn:x:p> ${'"x", '.repeat(50_000)}%${', "y"'.repeat(50_000)} .`;
    await choose(page, { name: 'long.ttl', text });
    await load(page, 'urn:x:long');
    await page.getByText('Line 2, column 250021').waitFor();
    const shown = (await page.locator('.offending-line').textContent()) ?? '';
    const [line = '', mark = ''] = shown.split('\n');
    assert.ok(line.length < 300 && line.startsWith('…') && line.endsWith('…'), line);
    assert.equal(line[mark.indexOf('^')], '%');
    assertNoComplaints(watched, /status of 400/);
  });

  it('loads dragged files into the graphs that they name', async () => {
    const watched = await open();
    const { page } = watched;
    const file = fileURLToPath(import.meta.resolve('@vocabulary/schema/schema.nq'));
    const quads = (await readFile(file, 'utf8')).split('\n').slice(0, 50).join('\n');
    const named = `${quads.replaceAll(`<${SCHEMA}> .`, '<urn:x:named> .')}\n`;
    const transfer = await page.evaluateHandle(
      `(() => { const files = new DataTransfer(); files.items.add(new File([${JSON.stringify(named)}], 'named.nq')); return files; })()`,
    );
    await page.dispatchEvent('.drop-zone', 'drop', { dataTransfer: transfer });
    await page.getByLabel('The graphs that the file names').check();
    await page.getByRole('button', { name: 'Load' }).click();
    await outcome(page, /Added \d+ triples/).waitFor();
    assert.equal((await fetch(`${url}/context?graph=urn:x:named`, { method: 'HEAD' })).status, 200);
    await page.getByLabel('Replace').check();
    await page.getByText('All graphs of the server will be removed').waitFor();
    assertNoComplaints(watched);
  });

  it('loads pasted text', async () => {
    const watched = await open();
    const { page } = watched;
    await page.getByRole('button', { name: 'Paste text' }).click();
    const dialog = page.getByRole('dialog', { name: 'Paste text' });
    await dialog.getByLabel('Text').fill('{ "@id": "urn:x:pasted", "urn:x:p": 1 }');
    await dialog.getByLabel('Format').selectOption('JSON-LD');
    await assertAccessible(page);
    await dialog.getByRole('button', { name: 'Add' }).click();
    await load(page, 'urn:x:pasted');
    await outcome(page, 'Stored in a new graph').waitFor();
    assert.match(await read('urn:x:pasted'), /<urn:x:pasted> <urn:x:p> "1"/);
    assertNoComplaints(watched);
  });

  it('shows the work of the server, and cancels it', async () => {
    const watched = await open();
    const { page } = watched;
    const file = join(await temporaryDirectory(scope), 'many.nt');
    await writeFile(file, triples(1_500_000));
    await fileInput(page).setInputFiles(file);
    await load(page, 'urn:x:cancelled');
    await page.getByText(/The server is (?!working)/).waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('status').filter({ hasText: 'Cancelled' }).waitFor();
    await page.getByRole('button', { name: 'Try again' }).waitFor();
    assertNoComplaints(watched, /status of 503/);
  });

  it('has no violation of axe, light and dark, and fits a phone', async () => {
    const { page } = await open();
    const foaf = '@prefix foaf: <http://xmlns.com/foaf/0.1/> .';
    await choose(
      page,
      { name: 'places.nt', text: triples(2500) },
      {
        name: 'people.ttl',
        text: `${foaf}\n<#anna> foaf:name "Anna" ;\n  foaf:knows <#sepp> , ;\n  foaf:age 40 .`,
      },
      { name: 'names.nq', text: triples(2) },
    );
    await load(page, 'http://example.org/people');
    await outcome(page, 'Stored').waitFor();
    await page.locator('.offending-line').waitFor();
    await page.getByLabel('Replace').check();
    await page.getByText('its 2,500 triples will be replaced').waitFor();
    await page.evaluate('scrollTo(0, 0)');
    await keepScreenshots(page, 'load');
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await assertAccessible(page);
    }
    await assertFitsPhone(page);
  });

  it('asks for credentials, and says which role and which size the server accepts, below a base', async (context) => {
    const hash = await hashPassword('secret', { logCost: 4, blockSize: 8, parallelism: 1 });
    const credentials = ['--credential', `read anna ${hash}`, '--credential', `write sepp ${hash}`];
    const args = ['--memory', '--threads', '1', '--sparql-threads', '0', '--max-rdf-body', '1KiB'];
    const base = 'https://data.example.org/store';
    const server = await startServer(context, [...args, ...credentials, '--public-read'], {}, base);
    const watched = await openConsole(browser, `${server.url}/store`, 'load');
    const { page } = watched;
    const signIn = async (name: string) => {
      const dialog = page.getByRole('dialog', { name: 'Sign in' });
      await dialog.getByLabel('Name').fill(name);
      await dialog.getByLabel('Password or token').fill('secret');
      await dialog.getByRole('button', { name: 'Sign in' }).click();
    };
    await choose(page, { name: 'a.nt', text: triples(100) });
    await load(page, 'urn:x:large');
    await signIn('anna');
    await page.getByText('needs credentials with the role write').waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('button', { name: 'Load' }).click();
    await signIn('sepp');
    await page.getByText('pathpool load DIR FILE').waitFor();
    assertNoComplaints(watched, /status of (401|403|413)/);
  });
});
