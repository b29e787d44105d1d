/** The console with data that want to be more than data, and with addresses that strangers send. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser, withoutBrowser } from '../support/browser.ts';
import { suiteScope } from '../support/scope.ts';
import { startServer } from '../support/server-process.ts';
import { assertNoComplaints, openConsole } from './support/console-page.ts';

const GRAPH = 'urn:example:odd';
const SUBJECT = 'http://example.org/odd';
const P = 'http://example.org/p';
const LABEL = 'http://www.w3.org/2000/01/rdf-schema#label';
const MARKUP = '</script><img src=x onerror=\\"globalThis.hacked=1\\"><b>bold</b>';
const LONG_IRI = `http://example.org/${'long-'.repeat(1000)}`;

const DATA = [
  `<${SUBJECT}> <${LABEL}> "${MARKUP}" .`,
  `<${SUBJECT}> <${P}> "" .`,
  `<${SUBJECT}> <${P}> <javascript:globalThis.hacked=1> .`,
  `<${SUBJECT}> <${P}> <data:text/html,hacked> .`,
  `<${SUBJECT}> <${P}> <${LONG_IRI}> .`,
  `<${SUBJECT}> <${P}> _:blank .`,
  `_:blank <${LABEL}> "blank" .`,
  `<${SUBJECT}> <${P}> "same"@ar--rtl .`,
  `<${SUBJECT}> <${P}> "same"@ar--ltr .`,
  `<${SUBJECT}> <${P}> "same"@ar .`,
  `<${SUBJECT}> <${P}> "\\u202Ereversed\\u0007" .`,
  `<${SUBJECT}> <${P}> "${'x'.repeat(2_000_000)}" .`,
  `<javascript:globalThis.hacked=1> <${P}> "subject" .`,
].join('\n');

describe('odd data in the console', { skip: withoutBrowser, timeout: 300_000 }, () => {
  const scope = suiteScope();
  let browser: Browser;
  let url: string;
  before(async () => {
    browser = await launchBrowser(scope);
    ({ url } = await startServer(scope, ['--memory', '--threads', '1'], {}, null));
    const response = await fetch(`${url}/context?graph=${encodeURIComponent(GRAPH)}`, {
      method: 'PUT',
      headers: { 'Content-Type': 'application/n-triples' },
      body: DATA,
    });
    assert.ok(response.ok, await response.text());
  });

  it('is text on the page of a resource, and only web addresses lead out of the console', async () => {
    const watched = await openConsole(browser, url, `resource?uri=${encodeURIComponent(SUBJECT)}`);
    const { page } = watched;
    await page.getByRole('heading', { level: 1, name: '<b>bold</b>' }).waitFor();
    await page.getByText('Show all 2,000,000 characters').waitFor();
    assert.equal(await page.getByText('same', { exact: true }).count(), 3);
    await assertHarmless(page);
    assertNoComplaints(watched);
  });

  it('is text on the page of a resource whose IRI is a script', async () => {
    const watched = await openConsole(browser, url, 'resource?uri=javascript:globalThis.hacked%3D1');
    await watched.page.getByText('subject', { exact: true }).waitFor();
    assert.equal(await watched.page.getByText('Open the IRI').count(), 0);
    await assertHarmless(watched.page);
    assertNoComplaints(watched);
  });

  it('is text in results of SPARQL', async () => {
    const query = `SELECT ?s ?o { GRAPH <${GRAPH}> { ?s ?p ?o } }`;
    const watched = await openConsole(browser, url, `sparql#${new URLSearchParams({ query })}`);
    const { page } = watched;
    await page.getByRole('button', { name: 'Run' }).click();
    await page.getByText('13 rows').waitFor();
    await assertHarmless(page);
    assertNoComplaints(watched);
  });

  it('is text in results of the playground, in a field of any name', async () => {
    const program = `@filter <${LABEL}> ;\nconstructor = <${P}> ;\nlabel = <${LABEL}> ;`;
    const state = new URLSearchParams([
      ['program', program],
      ['start', SUBJECT],
      ['start', 'javascript:globalThis.hacked=1'],
    ]);
    const watched = await openConsole(browser, url, `playground#${state}`);
    const { page } = watched;
    await page.getByRole('rowheader', { name: 'constructor' }).waitFor();
    await assertHarmless(page);
    await page.getByRole('tab', { name: 'Graph' }).click();
    await page.locator('.trace-node').first().waitFor();
    await assertHarmless(page);
    assertNoComplaints(watched);
  });

  it('is text in the list of graphs', async () => {
    const watched = await openConsole(browser, url, `browse?graph=${encodeURIComponent(GRAPH)}`);
    await watched.page.getByRole('link', { name: SUBJECT, exact: true }).first().waitFor();
    await assertHarmless(watched.page);
    assertNoComplaints(watched);
  });

  it('never runs an update that an address contains', async () => {
    const query = 'DELETE WHERE { ?s ?p ?o }';
    const watched = await openConsole(browser, url, `sparql#${new URLSearchParams({ query })}`);
    const { page } = watched;
    const updates: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST') updates.push(request.url());
    });
    await page.getByText('DELETE').first().waitFor();
    await page.reload();
    await page.getByText('DELETE').first().waitFor();
    await page.getByRole('button', { name: 'Run' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    assert.deepEqual(updates, []);
  });

  it('leads an address of an LDP resource to nothing but LDP resources', async () => {
    const paths = [
      `/ldp/../context?graph=${GRAPH}`,
      '/ldp/%2e%2e/dataset',
      '/ldp/..\\dataset',
      '/ldp/.\t./dataset',
    ];
    for (const path of paths) {
      const watched = await openConsole(browser, url, `ldp?path=${encodeURIComponent(path)}`);
      await watched.page.getByRole('heading', { level: 2, name: '/ldp', exact: true }).waitFor();
      assertNoComplaints(watched);
    }
  });

  it('keeps what the user types while an example is looked for', async () => {
    const watched = await openConsole(browser, url, 'missing');
    const { page } = watched;
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/ldpath/batch*', async (route) => {
      await released;
      await route.continue();
    });
    const asked = page.waitForRequest('**/ldpath/batch*');
    await page.getByRole('link', { name: 'Playground', exact: true }).click();
    await asked;
    const editor = page.getByRole('textbox', { name: 'LDPath program' });
    await editor.press('Control+A');
    await page.keyboard.type('mine = . ;');
    await page.waitForURL(/#program=mine/);
    const answered = page.waitForResponse('**/ldpath/batch*');
    release();
    await answered;
    await page.getByRole('button', { name: 'Run' }).click();
    await page.getByText('Add a start resource first.').waitFor();
    assert.match(await editor.innerText(), /^mine = \. ;\s*$/);
  });
});

/** Checks that no value has become an element, a script, or a link to one. */
async function assertHarmless(page: Page): Promise<void> {
  const found = await page.evaluate(`({
    hacked: globalThis.hacked ?? null,
    elements: document.querySelectorAll('main img, main b').length,
    links: [...document.querySelectorAll('a')].map((a) => a.getAttribute('href') ?? a.href.baseVal)
      .filter((href) => /^[a-z]+:/i.test(href) && !href.startsWith('http')),
  })`);
  assert.deepEqual(found, { hacked: null, elements: 0, links: [] });
}
