/** The playground: editing, evaluating, and sharing of LDPath programs in a browser. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser, type WatchedPage, withoutBrowser } from '../support/browser.ts';
import { suiteScope } from '../support/scope.ts';
import {
  assertAccessible,
  assertFitsPhone,
  assertNoComplaints,
  keepScreenshots,
  openConsole,
  startVocabularyServer,
} from './support/console-page.ts';

const BOOK = 'http://schema.org/Book';
const RESTAURANT = 'http://schema.org/Restaurant';
const PROGRAM = `label = rdfs:label ;
above = (rdfs:subClassOf)+ / rdfs:label ;
kinds = fn:count(^rdfs:subClassOf) ;
`;
/** A program with a more interesting picture. */
const LONGER_PROGRAM = `# What the vocabulary says about a class.
label      = rdfs:label :: xsd:string ;
comment    = rdfs:comment :: xsd:string ;
above      = (rdfs:subClassOf)+ / rdfs:label ;
properties = ^schema:domainIncludes[rdfs:comment] / rdfs:label ;
narrower   = fn:count(^rdfs:subClassOf) :: xsd:integer ;
`;

describe('the playground', { skip: withoutBrowser, timeout: 300_000 }, () => {
  const scope = suiteScope();
  let browser: Browser;
  let url: string;
  before(async () => {
    browser = await launchBrowser(scope);
    ({ url } = await startVocabularyServer(scope));
  });

  const open = (program?: string, ...starts: string[]): Promise<WatchedPage> => {
    const state = new URLSearchParams(program === undefined ? {} : { program });
    for (const start of starts) state.append('start', start);
    return openConsole(browser, url, program === undefined ? 'playground' : `playground#${state}`);
  };

  it('shows an example with a resource of the data at the first visit', async () => {
    const watched = await open();
    const { page } = watched;
    await cellOf(page, 'label').waitFor();
    assert.match(await editorOf(page).innerText(), /Ctrl-Enter/);
    await page.waitForURL(/#program=.*&start=http/);
    assertNoComplaints(watched);
  });

  it('runs the program of the address, and shows values, types, links, steps and the budget', async () => {
    const watched = await open(`${PROGRAM}type = rdf:type ;\ngerman = "Buch"@de ;`, BOOK);
    const { page } = watched;
    assert.equal(await cellOf(page, 'label').innerText(), 'Book');
    assert.match(await cellOf(page, 'above').innerText(), /CreativeWork\s+Thing/);
    assert.match(await cellOf(page, 'kinds').innerText(), /^2\s*xsd:integer$/);
    assert.match(await cellOf(page, 'german').innerText(), /^Buch\s*@de$/);
    const link = cellOf(page, 'type').getByRole('link', { name: 'rdfs:Class' });
    assert.match((await link.getAttribute('href'))!, /^resource\?uri=http%3A%2F%2Fwww\.w3\.org/);
    assert.match(await cellOf(page, 'Cost').innerText(), /^\d+ of 10,000,000 steps\s+[\d.]+ ms of 30 s$/);
    assertNoComplaints(watched);
  });

  it('runs what another address says when it is opened in the same tab', async () => {
    const watched = await open(PROGRAM, BOOK);
    const { page } = watched;
    await cellOf(page, 'label').waitFor();
    const next = new URLSearchParams({ program: 'name = rdfs:label ;', start: RESTAURANT });
    await page.evaluate(`location.hash = ${JSON.stringify(String(next))}`);
    await cellOf(page, 'name').getByText('Restaurant').waitFor();
    await cellOf(page, 'label').waitFor({ state: 'detached' });
    assertNoComplaints(watched);
  });

  it('completes prefixes, properties on the path, names in the data, functions and types', async () => {
    const watched = await open(PROGRAM, BOOK);
    const { page } = watched;
    await cellOf(page, 'label').waitFor();
    const typed = async (text: string, expected: string) => {
      await editorOf(page).click();
      await page.keyboard.press('Control+End');
      await page.keyboard.type(`\n${text}`);
      await optionOf(page, expected).first().waitFor();
      await page.keyboard.press('Escape');
      await page.keyboard.type(' ;');
    };
    await typed('a = sko', 'skos:');
    await typed('b = (rdfs:subClassOf) / ', 'schema:contributor');
    await typed('c = schema:domainIncl', 'schema:domainIncludes');
    await typed('d = fn:startsW', 'fn:startsWith');
    await typed('e = . :: xsd:dateT', 'xsd:dateTime');
    await typed('@pre', '@prefix');
    assertNoComplaints(watched);
  });

  it('underlines an error and a warning at its place as one types', async () => {
    const watched = await open('@prefix ex: <http://example.org/> ;\nlabel = rdfs:label ;\n', BOOK);
    const { page } = watched;
    const warning = page.locator('.cm-lintRange-warning');
    await warning.waitFor();
    assert.equal(await warning.innerText(), 'ex');
    await page.getByText('declared but not used').waitFor();
    await editorOf(page).click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('bad = nothing:here ;');
    const error = page.locator('.cm-lintRange-error');
    await error.waitFor();
    assert.match(await error.innerText(), /nothing/);
    await page.getByRole('button', { name: 'Error in line 3, column 7' }).click();
    await page.keyboard.press('Control+Enter');
    await page.getByRole('alert').getByText('unknown-prefix').waitFor();
    assertNoComplaints(watched, /status of 400/);
  });

  it('explains functions, and properties by what the data say about them', async () => {
    const watched = await open('a = schema:author / fn:concat(rdfs:label, "") ;\nb = rdfs:label ;', BOOK);
    const { page } = watched;
    await cellOf(page, 'a').waitFor();
    const documentation = page.locator('.cm-documentation');
    await page.getByText('schema:author', { exact: true }).hover();
    await documentation.getByText('The author of this content').waitFor();
    await page.mouse.move(0, 0);
    await documentation.waitFor({ state: 'detached' });
    await page.getByText('fn:concat', { exact: true }).hover();
    await documentation.getByText('Joins the string values').waitFor();
    assertNoComplaints(watched);
  });

  it('finds start resources by name and by label with the keyboard, and shows them side by side', async () => {
    const watched = await open(`@prefix my: <http://schema.org/> ;\n${PROGRAM}`, BOOK);
    const { page } = watched;
    await cellOf(page, 'label').waitFor();
    const input = page.getByRole('combobox', { name: 'Add a start resource' });
    await input.fill('schema:Perso');
    await page.getByRole('option', { name: 'schema:Person' }).waitFor();
    await input.press('ArrowDown');
    await input.press('Enter');
    await page.getByRole('columnheader', { name: 'schema:Person' }).waitFor();
    await input.fill('estauran');
    await page.getByRole('option', { name: 'FastFoodRestaurant' }).click();
    await page.getByRole('columnheader', { name: 'schema:FastFoodRestaurant' }).waitFor();
    assert.equal(await cellOf(page, 'label', 2).innerText(), 'FastFoodRestaurant');
    await page.getByRole('button', { name: 'Remove schema:Person' }).click();
    await page.waitForURL((address) => !address.hash.includes('Person'));
    await input.fill('my:Restaur');
    await page.getByRole('option', { name: 'schema:Restaurant' }).waitFor();
    assertNoComplaints(watched);
  });

  it('says which start resource does not exist beside the results of the others', async () => {
    const watched = await open(PROGRAM, BOOK, 'http://example.org/missing');
    const { page } = watched;
    await cellOf(page, 'Error', 1).getByText('resource-not-found').waitFor();
    assert.equal(await cellOf(page, 'label').innerText(), 'Book');
    assertNoComplaints(watched, /status of 404/);
  });

  it('shows the first of many values, and all of them in a dialog', async () => {
    const watched = await open('all = rdf:type / ^rdf:type ;', BOOK);
    const { page } = watched;
    await page.getByRole('button', { name: /^Show all/ }).click();
    const dialog = page.getByRole('dialog', { name: /^all: \d,?\d+ values$/ });
    await dialog.getByRole('link').first().waitFor();
    assert.ok((await dialog.getByRole('link').count()) < 100);
    await assertAccessible(page);
    assertNoComplaints(watched);
  });

  it('shows the results as JSON', async () => {
    const watched = await open(PROGRAM, BOOK);
    const { page } = watched;
    await page.getByRole('tab', { name: 'JSON' }).click();
    const json = await page.getByRole('textbox', { name: 'Results as JSON' }).innerText();
    const results = JSON.parse(json) as Record<string, Record<string, unknown>>;
    assert.deepEqual(results[BOOK]?.['label'], [{ type: 'literal', value: 'Book' }]);
    assertNoComplaints(watched);
  });

  it('draws how a result came about, with the way to it, what was tried, and a list of all edges', async () => {
    const watched = await open(
      'all = rdfs:subClassOf/rdfs:label ;\nnone = rdfs:subClassOf/foaf:name ;',
      BOOK,
    );
    const { page } = watched;
    await page.getByRole('tab', { name: 'Graph' }).click();
    const picture = page.getByRole('group', { name: /^Picture of the triples/ });
    await picture.locator('.trace-node.result text').getByText('CreativeWork').waitFor();
    assert.equal(await picture.locator('.trace-node').count(), 3);
    assert.equal(await picture.locator('.trace-edge.used').count(), 2);
    assert.match((await picture.locator('.trace-edge').first().textContent())!, /^rdfs:(subClassOf|label)$/);
    const edges = page.getByRole('region', { name: 'Triples that were read' });
    await edges
      .getByRole('row', { name: /all\s.*schema:Book.*rdfs:subClassOf.*schema:CreativeWork/ })
      .waitFor();
    await page.getByLabel('Field').selectOption('none');
    await picture.locator('.trace-edge.tried').waitFor();
    assert.equal(await picture.locator('.trace-edge').count(), 1);
    await page.getByLabel('Also what led to no result').uncheck();
    await page.getByText('No triple was read').waitFor();
    assertNoComplaints(watched);
  });

  it('moves and zooms the picture with keys and the mouse', async () => {
    const watched = await open(PROGRAM, BOOK);
    const { page } = watched;
    await page.getByRole('tab', { name: 'Graph' }).click();
    const picture = page.getByRole('group', { name: /^Picture of the triples/ });
    const svg = picture.locator('svg');
    await svg.locator('.trace-node').first().waitFor();
    const view = async () => (await svg.getAttribute('viewBox'))!.split(' ').map(Number);
    await picture.focus();
    const [left, , width] = await view();
    await page.keyboard.press('ArrowRight');
    assert.ok((await view())[0]! > left!);
    await page.keyboard.press('+');
    assert.ok((await view())[2]! < width!);
    await page.keyboard.press('0');
    assert.deepEqual((await view())[0], left);
    const box = (await picture.boundingBox())!;
    await page.mouse.move(box.x + 20, box.y + 20);
    await page.mouse.down();
    await page.mouse.move(box.x + 80, box.y + 20);
    await page.mouse.up();
    assert.ok((await view())[0]! < left!);
    assertNoComplaints(watched);
  });

  it('shares a link, and a command that a shell runs', async () => {
    const program = `label = rdfs:label[fn:contains(., 'k')] ; # 'quoted', $HOME \\ \`date\`\n`;
    const watched = await open(program, BOOK);
    const { page } = watched;
    await page.getByRole('button', { name: 'Share…' }).click();
    const command = await page.getByRole('region', { name: 'curl' }).locator('pre').innerText();
    const { stdout } = await promisify(execFile)('sh', ['-c', command]);
    assert.deepEqual(JSON.parse(stdout), { label: [{ type: 'literal', value: 'Book' }] });
    const link = await page.getByRole('region', { name: 'Link' }).locator('pre').innerText();
    assert.equal(new URLSearchParams(new URL(link).hash.slice(1)).get('program'), program);
    assertNoComplaints(watched);
  });

  it('saves a program, opens it, and does not overwrite what another has changed', async () => {
    const watched = await open(PROGRAM, BOOK);
    const { page } = watched;
    const save = async () => {
      await page.getByRole('button', { name: 'Save…' }).click();
      await page.getByLabel('Name').fill('classes');
      await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    };
    await save();
    await page.getByText('Saved as classes.').waitFor();
    await fetch(`${url}/ldpath/programs/classes`, { method: 'PUT', body: 'changed = rdfs:label ;' });
    await save();
    await page.getByText('since you opened it').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Open…' }).click();
    await page.getByRole('button', { name: 'classes' }).click();
    await editorOf(page).getByText('changed').waitFor();
    assertNoComplaints(watched, /status of 412/);
  });

  it('has no violation of axe, light and dark, and fits a phone', async () => {
    const watched = await open(LONGER_PROGRAM, BOOK, RESTAURANT);
    const { page } = watched;
    await cellOf(page, 'label').waitFor();
    await assertAccessible(page);
    await assertFitsPhone(page);
    await keepScreenshots(page, 'playground');
    await page.getByRole('tab', { name: 'Graph' }).click();
    await page.locator('.trace-node').first().waitFor();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await assertAccessible(page);
    }
    await assertFitsPhone(page);
    await keepScreenshots(page, 'playground-graph');
    assertNoComplaints(watched);
  });
});

function editorOf(page: Page) {
  return page.getByRole('textbox', { name: 'LDPath program' });
}

/** The cell of a field in the column of a start resource. */
function cellOf(page: Page, field: string, column = 0) {
  const row = page
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader', { name: field, exact: true }) });
  return row.getByRole('cell').nth(column);
}

/** An option of the completion. */
function optionOf(page: Page, label: string) {
  return page.locator('.cm-completionLabel').getByText(label, { exact: true });
}
