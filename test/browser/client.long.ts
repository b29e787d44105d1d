/** `pathpool/client`, as it was built, in Chromium. It is skipped where that is not installed. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename } from 'node:path';
import { it } from 'node:test';
import { launchBrowser, openPage, withoutBrowser } from '../support/browser.ts';
import { projectFile } from '../support/project.ts';
import type { Scope } from '../support/scope.ts';
import { startServer } from '../support/server-process.ts';

/** What the page does with the client. */
const SCRIPT = `(async (url) => {
  const { PathpoolClient } = await import('/entry.js');
  const { changes, graphs, ldpath, programs } = new PathpoolClient(url);
  await programs.put('p', { program: 'name = <urn:name> ;', starts: { type: 'urn:T' } });
  const controller = new AbortController();
  const live = programs.followChanges('p', { format: 'values', signal: controller.signal });
  await live.next();
  await graphs.put('urn:x:g', '<urn:a> a <urn:T> ; <urn:name> "Ä" .');
  const { value } = await live.next();
  const { value: now } = await live.next();
  await graphs.put('urn:x:g', '<urn:a> <urn:name> "B" .');
  const again = programs.followChanges('p', { since: now.position });
  const removed = [(await again.next()).value, (await again.next()).value][1];
  await again.return();
  controller.abort(new Error('enough'));
  const ended = live.next().catch((error) => error.message);
  const watched = await changes.followGraph('urn:x:g').next();
  const csv = await ldpath.batchText({ path: '<urn:name>' }, { uris: ['urn:a'], format: 'csv' });
  return JSON.stringify([value.result, removed.deleted, await ended, watched.done, await csv.text()]);
})`;

/** Serves the files of the client, and an empty page. */
async function serveClient(scope: Scope): Promise<string> {
  const server = createServer(({ url = '' }, response) => {
    const isPage = url === '/';
    response.setHeader('Content-Type', isPage ? 'text/html' : 'text/javascript');
    const file = projectFile(`dist/src/library/client/${basename(url)}`);
    response.end(isPage ? '<!doctype html><link rel="icon" href="data:,">' : readFileSync(file));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  scope.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it('the client follows changes in a page of another origin', { skip: withoutBrowser }, async (context) => {
  const origin = await serveClient(context);
  const args = ['--memory', '--threads', '2', '--sparql-threads', '0', '--allow-origin', origin];
  const { url } = await startServer(context, args, {}, null);
  const { page, complaints } = await openPage(await launchBrowser(context), { origin });
  await page.goto(origin);
  const result = JSON.parse(await page.evaluate<string>(`${SCRIPT}('${url}')`));
  assert.deepEqual(result, [{ name: ['Ä'] }, true, 'enough', false, 'uri,value\r\nurn:a,B\r\n']);
  assert.deepEqual(
    complaints.filter((complaint) => !complaint.startsWith('request to')),
    [],
  );
});
