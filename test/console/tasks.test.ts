/** The page with tasks and threads. It is skipped where Chromium is not installed. */
import assert from 'node:assert/strict';
import { request } from 'node:http';
import { before, describe, it, type TestContext } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { PathpoolClient } from '../../src/library/client/entry.ts';
import { launchBrowser, openPage, type WatchedPage, withoutBrowser } from '../support/browser.ts';
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

/** Visits most of the vocabulary for each start resource, so that all of them take minutes. */
const SLOW_BATCH = JSON.stringify({
  path: '(* / * / ^* / *)[rdfs:label] / rdfs:label',
  namespaces: { rdfs: 'http://www.w3.org/2000/01/rdf-schema#' },
  starts: { subjects: true },
});

interface RunningBatch {
  /** Its name in the task list. */
  readonly name: string;
  /** Resolves with the last line of the results. */
  readonly ended: Promise<string>;
}

async function startBatch(context: TestContext, url: string): Promise<RunningBatch> {
  const controller = new AbortController();
  context.after(() => controller.abort());
  const response = await fetch(`${url}/ldpath/batch`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: SLOW_BATCH,
    signal: controller.signal,
  });
  assert.equal(response.status, 200);
  const name = /tasks\/LDPath\/([^>]+)>/.exec(response.headers.get('Link') ?? '')?.[1];
  const ended = response.text().then(
    (text) => text.trimEnd().split('\n').at(-1)!,
    (error: unknown) => String(error),
  );
  return { name: decodeURIComponent(name!), ended };
}

interface Upload {
  /** Its name in the task list. */
  readonly name: string;
  /** Sends another tenth of the body. */
  sendMore(): void;
  abandon(): void;
}

/** Begins to send a file, which goes on only when it is told to, and so takes no processor time. */
async function startUpload(context: TestContext, url: string): Promise<Upload> {
  const line = '<urn:x:a> <urn:x:b> "c" .\n';
  const piece = line.repeat(4000);
  const upload = request(`${url}/context?graph=urn:x:upload`, {
    method: 'PUT',
    headers: { 'Content-Type': 'text/turtle', 'Content-Length': 10 * piece.length },
  });
  upload.on('error', () => {});
  context.after(() => upload.destroy());
  upload.write(piece);
  for (;;) {
    const tasks = Object.values(await new PathpoolClient(url).tasks.list()).flat();
    const own = tasks.find((task) => task.request === 'PUT /context?graph=urn:x:upload');
    if (!own) continue;
    const sendMore = () => void upload.write(piece);
    return { name: own.name, sendMore, abandon: () => upload.destroy() };
  }
}

/** The entry of a task in the lists. */
const entryOf = (page: Page, name: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('button', { name, exact: true }) });

/** Opens the page, after something was prepared. */
async function openPageWith(
  browser: Browser,
  url: string,
  prepare: (page: Page) => Promise<void>,
): Promise<WatchedPage> {
  const watched = await openPage(browser, { origin: new URL(url).origin });
  await prepare(watched.page);
  await watched.page.goto(`${url}/console/tasks`);
  return watched;
}

describe('the page with tasks', { skip: withoutBrowser, timeout: 300_000 }, () => {
  const scope = suiteScope();
  let browser: Browser;
  let url: string;
  before(async () => {
    browser = await launchBrowser(scope);
    ({ url } = await startVocabularyServer(scope));
  });

  it('shows a task that runs, with progress that grows, and cancels it', async (context) => {
    const watched = await openConsole(browser, url, 'tasks');
    const { page } = watched;
    await page.getByText('Live', { exact: true }).waitFor();
    const batch = await startBatch(context, url);
    const entry = entryOf(page, batch.name);
    const progress = entry.getByRole('progressbar');
    await progress.waitFor();
    const value = () => progress.evaluate((element) => (element as unknown as { value: number }).value);
    const first = await value();
    while ((await value()) <= first);
    await entry.getByText(/resources \(\d+ %\) · .*\/s · .* left/).waitFor();
    await entry.getByRole('button', { name: batch.name, exact: true }).click();
    await entry.getByText('POST /ldpath/batch').waitFor();
    await entry.getByRole('button', { name: `Cancel ${batch.name}` }).click();
    await page.getByRole('button', { name: 'Cancel the task' }).click();
    assert.match(await batch.ended, /"cancelled":true/);
    await entry.waitFor({ state: 'detached' });
    const ended = page.getByRole('region', { name: 'Ended' }).getByRole('listitem');
    await ended.filter({ hasText: batch.name }).filter({ hasText: 'cancelled' }).waitFor();
    assertNoComplaints(watched);
  });

  it('shows how much of a file has arrived', async (context) => {
    const { page } = await openConsole(browser, url, 'tasks');
    const upload = await startUpload(context, url);
    const entry = entryOf(page, upload.name);
    await entry.getByText(/of .* \(10 %\)/).waitFor();
    upload.sendMore();
    await entry.getByText(/of .* \(20 %\)/).waitFor();
  });

  it('shows each thread and what it runs, and lists tasks by thread', async (context) => {
    const { name } = await startBatch(context, url);
    await startUpload(context, url);
    const watched = await openConsole(browser, url, 'tasks');
    const { page } = watched;
    const rowOf = (thread: string) =>
      page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: thread, exact: true }) });
    for (const thread of ['main', 'store', 'worker-1', 'worker-2']) await rowOf(thread).waitFor();
    await page
      .getByRole('row', { name: /^worker-\d/ })
      .filter({ hasText: name })
      .first()
      .waitFor();
    await page
      .getByRole('img', { name: /worker-\d was busy for [1-9]\d* % of the last minute/ })
      .first()
      .waitFor();
    await page.getByRole('tab', { name: 'By thread' }).click();
    await page.getByRole('heading', { level: 3, name: 'main' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { level: 3, name: 'main' }).waitFor();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await assertAccessible(page);
    }
    await assertFitsPhone(page);
    await page.getByRole('tab', { name: 'By queue' }).click();
    await keepScreenshots(page, 'tasks');
    assertNoComplaints(watched);
  });

  it('counts tasks that are too short to be listed', async () => {
    const { page } = await openConsole(browser, url, 'tasks');
    await page.getByText('Live', { exact: true }).waitFor();
    const query = new URLSearchParams({ path: '.', uri: 'http://schema.org/Person' });
    assert.equal((await fetch(`${url}/ldpath/path?${query}`)).status, 200);
    const row = page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: 'LDPath' }) });
    await row
      .getByRole('cell', { name: /^[\d.]*[1-9]$/ })
      .first()
      .waitFor();
  });

  it('shows why a task is not cancelled', async (context) => {
    const watched = await openConsole(browser, url, 'tasks');
    const { page } = watched;
    const upload = await startUpload(context, url);
    const { name } = upload;
    await page.getByRole('button', { name: `Cancel ${name}` }).click();
    const dialog = page.getByRole('dialog', { name: `Cancel ${name}?` });
    await assertAccessible(page);
    upload.abandon();
    // The server notices it a moment later.
    while ((await fetch(`${url}/tasks/Content/${upload.name}`)).ok);
    await dialog.getByRole('button', { name: 'Cancel the task' }).click();
    await dialog.getByRole('alert').getByText('(task-not-found)').waitFor();
    await dialog.getByRole('button', { name: 'Let it run' }).click();
    await dialog.waitFor({ state: 'detached' });
    assertNoComplaints(watched, /status of 404/);
  });

  it('offers no cancelling where the server keeps tasks', async (context) => {
    const server = await startServer(context, ['--memory', '--threads', '2', '--keep-tasks'], {}, null);
    const { page } = await openConsole(browser, server.url, 'missing');
    const allowed = page.waitForResponse((response) => response.request().method() === 'OPTIONS');
    await page.getByRole('link', { name: 'Tasks' }).click();
    const { name } = await startUpload(context, server.url);
    await entryOf(page, name).waitFor();
    await (await allowed).finished();
    assert.equal(await page.getByRole('button', { name: /^Cancel/ }).count(), 0);
  });

  for (const status of [503, 404, 406]) {
    it(`asks for the lists where the stream is refused with ${status}`, async (context) => {
      const { name } = await startUpload(context, url);
      const watched = await openPageWith(browser, url, async (page) => {
        await page.route('**/tasks/events', (route) => route.fulfill({ status, body: 'No stream.' }));
      });
      const { page } = watched;
      await page.getByText('Asking every 2 seconds').waitFor();
      await entryOf(page, name).waitFor();
      await page.getByRole('row', { name: /^main/ }).filter({ hasText: name }).waitFor();
      assertNoComplaints(watched, new RegExp(`status of ${status}`));
    });
  }

  it('asks for the lists while the stream is broken, and follows the next one', async () => {
    let streams = 0;
    const asked: string[] = [];
    const watched = await openPageWith(browser, url, async (page) => {
      page.on('request', (request) => asked.push(new URL(request.url()).pathname));
      await page.route('**/tasks/events', (route) => {
        if (streams++ > 0) return route.continue();
        const state = { time: Date.now(), tasks: {}, unlisted: 0, groups: {}, threads: [] };
        const body = `event: state\ndata: ${JSON.stringify(state)}\n\n`;
        return route.fulfill({ contentType: 'text/event-stream', body });
      });
    });
    await watched.page.getByRole('rowheader', { name: 'worker-2' }).waitFor();
    await watched.page.getByText('Live', { exact: true }).waitFor();
    assert.equal(streams, 2);
    assert.ok(asked.includes('/tasks'), 'no list was asked for');
    assertNoComplaints(watched);
  });

  it('ends the stream when it is hidden or left, and begins another one when it is shown', async () => {
    const { page } = await openConsole(browser, url, 'tasks');
    await page.getByText('Live', { exact: true }).waitFor();
    const isStream = (request: { url(): string }) => request.url().endsWith('/tasks/events');
    const ended = page.waitForEvent('requestfailed', isStream);
    await hidePage(page, true);
    await ended;
    const begun = page.waitForRequest(isStream);
    await hidePage(page, false);
    await begun;
    await page.getByText('Live', { exact: true }).waitFor();
    const left = page.waitForEvent('requestfailed', isStream);
    await page.getByRole('link', { name: 'Playground' }).click();
    await left;
  });

  it('sends one request in two seconds while it polls, and none while it is hidden', async () => {
    const times: number[] = [];
    const isList = (request: { url(): string }) => /\/tasks(\/byThread|\?queued)$/.test(request.url());
    const { page } = await openPageWith(browser, url, async (page) => {
      await page.clock.install();
      await page.route('**/tasks/events', (route) => route.fulfill({ status: 404 }));
      page.on('request', (request) => {
        if (isList(request)) times.push(Date.now());
      });
    });
    while (times.length < 3) await page.waitForRequest(isList);
    // A little less than twice the interval: the messages of the browser are delayed.
    assert.ok(times[2]! - times[0]! > 3500, `three requests in ${times[2]! - times[0]!} ms`);
    await hidePage(page, true);
    const before = times.length;
    await page.clock.runFor(60_000);
    assert.equal(times.length, before);
  });
});
