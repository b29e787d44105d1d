/** The page of LDP containers. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { before, describe, it } from 'node:test';
import type { Browser, Locator, Page } from 'playwright-core';
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
} from './support/console-page.ts';

const LDP = 'http://www.w3.org/ns/ldp#';
const BASE = 'https://data.example.org/store';

/** A PNG of one pixel. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

describe('the page of containers', { skip: withoutBrowser, timeout: 300_000 }, () => {
  const scope = suiteScope();
  let browser: Browser;
  let url: string;
  before(async () => {
    browser = await launchBrowser(scope);
    // The browser knows the server by another name than the base, as behind a proxy.
    const server = await startServer(scope, ['--memory', '--threads', '2'], {}, BASE);
    url = `${server.url}/store`;
  });

  async function send(
    method: string,
    path: string,
    headers: Record<string, string>,
    body?: string | Uint8Array,
  ) {
    const response = await fetch(`${url}/${path}`, { method, headers, ...(body !== undefined && { body }) });
    if (!response.ok) assert.fail(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response;
  }

  const createContainer = (parent: string, name: string) =>
    send('POST', parent, { Slug: name, Link: `<${LDP}BasicContainer>; rel="type"` });
  const createSource = (parent: string, name: string, turtle: string) =>
    send('POST', parent, { Slug: name, 'Content-Type': 'text/turtle' }, turtle);
  const tagOf = async (path: string) => (await send('HEAD', path, {})).headers.get('ETag') ?? '';
  const item = (page: Page, name: string | RegExp) => page.getByRole('treeitem', { name });
  /** As a user does: a script that fills the element leaves styles that the policy forbids. */
  async function replaceText(editor: Locator, text: string): Promise<void> {
    await editor.focus();
    await editor.press('Control+a');
    await editor.press('Delete');
    await editor.page().keyboard.insertText(text);
  }
  const open = (path: string) => openConsole(browser, url, `ldp?path=${encodeURIComponent(path)}`);

  it('shows containers as a tree, whose branches are read when they are opened', async () => {
    await createContainer('ldp', 'shelf');
    await createContainer('ldp/shelf', 'box');
    await createSource('ldp/shelf/box', 'note', '<> <http://example.org/says> "Hello" .');
    const watched = await openConsole(browser, url, 'ldp');
    const { page } = watched;
    await item(page, /shelf/).click();
    await item(page, /box/).click();
    await item(page, /note RDF source/).click();
    await page.getByRole('textbox', { name: 'Turtle of /ldp/shelf/box/note' }).waitFor();
    assert.equal(new URL(page.url()).searchParams.get('path'), '/ldp/shelf/box/note');
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await assertAccessible(page);
    }
    await assertFitsPhone(page);
    await keepScreenshots(page, 'ldp');
    await page.reload();
    await page.locator('[role=treeitem][aria-selected=true]', { hasText: 'note' }).waitFor();
    assertNoComplaints(watched);
  });

  it('moves in the tree by the keyboard', async () => {
    await createContainer('ldp', 'keys');
    await createContainer('ldp/keys', 'inner');
    const watched = await open('/ldp/keys');
    const { page } = watched;
    await page.getByRole('heading', { name: '/ldp/keys' }).waitFor();
    // Until the members of the root are read, the tree does not know that it is a container.
    await page.locator('[role=treeitem][aria-selected=true][aria-expanded]', { hasText: 'keys' }).waitFor();
    await item(page, /keys/).focus();
    await page.keyboard.press('ArrowRight');
    await item(page, /inner/).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: '/ldp/keys/inner' }).waitFor();
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await item(page, /inner/).waitFor({ state: 'detached' });
    assertNoComplaints(watched);
  });

  it('shows many members page by page', async () => {
    await createContainer('ldp', 'many');
    const names = Array.from({ length: 250 }, (_, i) => `member-${i}`);
    for (let i = 0; i < names.length; i += 25) {
      await Promise.all(names.slice(i, i + 25).map((name) => createSource('ldp/many', name, '')));
    }
    const watched = await open('/ldp/many');
    const { page } = watched;
    const many = page.getByRole('treeitem', { name: 'many', exact: true });
    await many.click();
    await item(page, 'More…').waitFor();
    assert.equal(await item(page, /member-/).count(), 200);
    await item(page, 'More…').click();
    await item(page, /member-/)
      .nth(249)
      .waitFor();
    assertNoComplaints(watched);
  });

  it('creates containers and resources with the names that the user proposes', async () => {
    const watched = await openConsole(browser, url, 'ldp');
    const { page } = watched;
    await page.getByLabel('Name').fill('Köln');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: '/ldp/K-ln' }).waitFor();
    await page.getByLabel('Kind').selectOption('RDF source');
    await page.getByLabel('Name').fill('doc');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: '/ldp/K-ln/doc' }).waitFor();
    await item(page, /doc RDF source/).waitFor();
    await send('HEAD', 'ldp/K-ln/doc', {});
    assertNoComplaints(watched);
  });

  it('edits an RDF source as Turtle, and marks errors at their place', async () => {
    await createSource('ldp', 'edited', '<> <http://example.org/p> 1 .');
    const watched = await open('/ldp/edited');
    const { page } = watched;
    const editor = page.getByRole('textbox', { name: 'Turtle of /ldp/edited' });
    await replaceText(editor, '<> <http://example.org/p> 2 .\n<> oops');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText(/^At line 2, column \d+\.$/).waitFor();
    await page.locator('.cm-lintRange-error').waitFor();
    await assertAccessible(page);
    await replaceText(editor, '<> <http://example.org/p> 3 .');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    const stored = await (await send('GET', 'ldp/edited', {})).text();
    assert.match(stored, /<http:\/\/example\.org\/p> 3/);
    assertNoComplaints(watched, /status of 400/);
  });

  it('stores nothing over the changes of others unless the user says so', async () => {
    await createSource('ldp', 'shared', '<> <http://example.org/p> 1 .');
    const watched = await open('/ldp/shared');
    const { page } = watched;
    const editor = page.getByRole('textbox', { name: 'Turtle of /ldp/shared' });
    await replaceText(editor, '<> <http://example.org/p> "mine" .');
    const headers = { 'Content-Type': 'text/turtle', 'If-Match': await tagOf('ldp/shared') };
    await send('PUT', 'ldp/shared', headers, '<> <http://example.org/p> "theirs" .');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('was changed by another client').waitFor();
    await assertAccessible(page);
    assert.match(await (await send('GET', 'ldp/shared', {})).text(), /"theirs"/);
    await page.getByRole('button', { name: 'Replace the other version' }).click();
    await page.getByText('Saved.').waitFor();
    assert.match(await (await send('GET', 'ldp/shared', {})).text(), /"mine"/);
    await send('PUT', 'ldp/shared', { ...headers, 'If-Match': '*' }, '<> <http://example.org/p> "newest" .');
    await replaceText(editor, '<> <http://example.org/p> "lost" .');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Discard my text' }).click();
    await editor.getByText('"newest"').waitFor();
    assertNoComplaints(watched, /status of 412/);
  });

  it('loses nothing of what is typed faster than the page is drawn', async () => {
    await createSource('ldp', 'typed', '');
    const watched = await open('/ldp/typed');
    const { page } = watched;
    const editor = page.getByRole('textbox', { name: 'Turtle of /ldp/typed' });
    await editor.focus();
    const typed = `# ${'typed '.repeat(20).trim()}`;
    await page.evaluate(`(async () => {
      for (const character of ${JSON.stringify(typed)}) {
        document.execCommand('insertText', false, character);
        // The page has been rendered after that, but its effects wait for the next frame.
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    })()`);
    await editor.getByText(typed).waitFor();
    assertNoComplaints(watched);
  });

  it('keeps a text that is not saved while another resource is shown', async () => {
    await createSource('ldp', 'draft', '<> <http://example.org/p> 1 .');
    const watched = await open('/ldp/draft');
    const { page } = watched;
    const editor = page.getByRole('textbox', { name: 'Turtle of /ldp/draft' });
    await replaceText(editor, '<> <http://example.org/p> "unsaved" .');
    await item(page, /^ldp$/).click();
    await page.getByRole('textbox', { name: 'Turtle of /ldp', exact: true }).waitFor();
    await item(page, /draft/).click();
    await editor.getByText('"unsaved"').waitFor();
    await page.getByText('your changes, which are not saved').waitFor();
    await page.getByRole('button', { name: 'Discard changes' }).click();
    await editor.getByText('1', { exact: true }).waitFor();
    assertNoComplaints(watched);
  });

  it('asks for credentials for an upload, and shows what the server says to a user who may only read', async (context) => {
    const hash = await hashPassword('secret', { logCost: 4, blockSize: 8, parallelism: 1 });
    const credentials = ['--credential', `read anna ${hash}`, '--credential', `write sepp ${hash}`];
    const args = ['--memory', '--threads', '1', '--sparql-threads', '0', '--public-read', ...credentials];
    const server = await startServer(context, args, {}, null);
    const watched = await openConsole(browser, server.url, 'ldp');
    const { page } = watched;
    const uploads = page.getByRole('list', { name: 'Uploads' }).getByRole('listitem');
    const uploadAs = async (user: string) => {
      const file = { name: `${user}.txt`, mimeType: 'text/plain', buffer: Buffer.from(user) };
      await page.getByLabel('Choose files').setInputFiles([file]);
      const dialog = page.getByRole('dialog', { name: 'Sign in' });
      await dialog.getByLabel('Name').fill(user);
      await dialog.getByLabel('Password or token').fill('secret');
      await dialog.getByRole('button', { name: 'Sign in' }).click();
      return uploads.filter({ hasText: `${user}.txt` });
    };
    await (await uploadAs('anna')).getByText('(forbidden)').waitFor();
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('alert').getByText('(forbidden)').waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await (await uploadAs('sepp')).getByText('stored').waitFor();
    assertNoComplaints(watched, /status of 40[13]/);
  });

  it('uploads files by the button and by drag and drop, and shows what is wrong with one', async () => {
    await createContainer('ldp', 'files');
    const watched = await open('/ldp/files');
    const { page } = watched;
    const uploads = page.getByRole('list', { name: 'Uploads' });
    await page.getByLabel('Choose files').setInputFiles([
      { name: 'pixel.png', mimeType: 'image/png', buffer: PIXEL },
      { name: 'broken.ttl', mimeType: '', buffer: Buffer.from('<a> <b>\n  broken') },
    ]);
    await uploads.getByRole('listitem').filter({ hasText: 'pixel.png' }).getByText('stored').waitFor();
    await uploads
      .getByRole('listitem')
      .filter({ hasText: 'broken.ttl' })
      .getByText(/line 2/)
      .waitFor();
    const dropped = await page.evaluateHandle(`(() => {
      const data = new DataTransfer();
      data.items.add(new File(['dropped'], 'dropped.txt', { type: 'text/plain' }));
      return data;
    })()`);
    await page.locator('.drop-zone').dispatchEvent('drop', { dataTransfer: dropped });
    await uploads.getByRole('listitem').filter({ hasText: 'dropped.txt' }).getByText('stored').waitFor();
    await assertAccessible(page);
    await item(page, /dropped\.txt binary/).click();
    await page.getByText('text/plain, 7 bytes').waitFor();
    await page
      .getByRole('region', { name: 'Content of /ldp/files/dropped.txt' })
      .getByText('dropped')
      .waitFor();
    assertNoComplaints(watched, /status of 400/);
  });

  it('shows a binary with its type and size, as an image if it is one, and downloads it', async () => {
    await send('POST', 'ldp', { Slug: 'dot.png', 'Content-Type': 'image/png' }, PIXEL);
    const watched = await open('/ldp/dot.png');
    const { page } = watched;
    await page.getByText(`image/png, ${PIXEL.length} bytes`).waitFor();
    await page.getByRole('img', { name: 'Content of /ldp/dot.png' }).waitFor();
    const begun = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download' }).click();
    assert.deepEqual(await readFile(await (await begun).path()), PIXEL);
    const file = { name: 'other.png', mimeType: 'image/png', buffer: Buffer.concat([PIXEL, PIXEL]) };
    await page.getByLabel('Replace by a file').setInputFiles([file]);
    await page.getByText(`image/png, ${2 * PIXEL.length} bytes`).waitFor();
    assertNoComplaints(watched);
  });

  it('deletes a resource after a question, but no container that has members', async () => {
    await createContainer('ldp', 'full');
    await createSource('ldp/full', 'last', '');
    const watched = await open('/ldp/full');
    const { page } = watched;
    const dialog = page.getByRole('dialog', { name: 'Delete the resource?' });
    const remove = async () => {
      await page.locator('.ldp-details').getByRole('button', { name: 'Delete' }).first().click();
      await dialog.getByRole('button', { name: 'Delete' }).click();
    };
    await remove();
    await dialog.getByText('(container-not-empty)').waitFor();
    await assertAccessible(page);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await item(page, /full/).click();
    await item(page, /last/).click();
    await page.getByRole('heading', { name: '/ldp/full/last' }).waitFor();
    await remove();
    await page.getByText('/ldp/full/last was deleted.').waitFor();
    await item(page, /last/).waitFor({ state: 'detached' });
    assertNoComplaints(watched, /status of 409/);
  });

  it('says so when there is no such resource', async () => {
    const watched = await open('/ldp/none');
    await watched.page.getByText('There is no such resource.').waitFor();
    assertNoComplaints(watched, /status of 404/);
  });
});
