/** Pages of the console in Chromium, against a real server with a real vocabulary. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { openPage, type WatchedPage } from '../../support/browser.ts';
import { projectRoot } from '../../support/project.ts';
import type { Scope } from '../../support/scope.ts';
import { type ServerProcess, startServer } from '../../support/server-process.ts';
import { withFewColours } from './small-png.ts';

/** The graph with the vocabulary of schema.org. */
export const SCHEMA = 'http://schema.org/';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Starts a server in memory with the vocabulary in the graph `SCHEMA`. */
export async function startVocabularyServer(
  scope: Scope,
  args: readonly string[] = [],
  base: string | null = null,
): Promise<ServerProcess> {
  const file = fileURLToPath(import.meta.resolve('@vocabulary/schema/schema.nq'));
  return startServer(scope, ['--memory', '--threads', '2', '--load', `${file}`, ...args], {}, base);
}

/** Loads the vocabulary over HTTP. `url`: of the server, with the path of its base. */
export async function loadVocabulary(url: string, headers: Record<string, string> = {}): Promise<void> {
  const file = fileURLToPath(import.meta.resolve('@vocabulary/schema/schema.nq'));
  const response = await fetch(`${url}/context?graph=${encodeURIComponent(SCHEMA)}`, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/n-quads', ...headers },
    body: await readFile(file),
  });
  assert.ok(response.ok, `PUT of the vocabulary: ${response.status} ${await response.text()}`);
}

/** Opens a page of the console, such as `tasks` or `playground#program=…`. */
export async function openConsole(browser: Browser, url: string, address: string): Promise<WatchedPage> {
  const watched = await openPage(browser, { origin: new URL(url).origin });
  await watched.page.goto(`${url}/console/${address}`);
  await watched.page.locator('h1').waitFor();
  return watched;
}

/**
 * Checks that nothing went wrong in a page. `expected`: failed responses that the case provokes,
 * which browsers report as errors.
 */
export function assertNoComplaints({ complaints }: WatchedPage, expected?: RegExp): void {
  const others = complaints.filter((each) => !expected?.test(each));
  assert.deepEqual(others, []);
}

interface AxeResult {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/** Checks what axe finds in the page as it is shown now. */
export async function assertAccessible(page: Page): Promise<void> {
  // In the middle of a transition colours are neither the old nor the new ones.
  await page.evaluate('for (const each of document.getAnimations()) each.finish()');
  await page.evaluate(axeSource);
  const violations = await page.evaluate(
    async () =>
      (await (globalThis as unknown as { axe: { run(): Promise<{ violations: AxeResult[] }> } }).axe.run())
        .violations,
  );
  const described = violations.map(
    ({ id, help, nodes }) =>
      `${id}: ${help}\n${nodes.map(({ html, failureSummary }) => `  ${html}\n  ${failureSummary}`).join('\n')}`,
  );
  assert.deepEqual(described, []);
}

/** Checks that a phone shows the page without scrolling sideways, and restores the size. */
export async function assertFitsPhone(page: Page): Promise<void> {
  const size = page.viewportSize();
  await page.setViewportSize({ width: 375, height: 700 });
  const [content, window] = await page.evaluate<[number, number]>(
    '[document.documentElement.scrollWidth, innerWidth]',
  );
  assert.ok(content <= window, `the content is ${content} pixels wide, the window ${window}`);
  if (size) await page.setViewportSize(size);
}

/** Lets the page believe that it is in a tab behind others, or in front again. */
export async function hidePage(page: Page, hidden: boolean): Promise<void> {
  await page.evaluate(`Object.defineProperty(document, 'hidden', { value: ${hidden}, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));`);
}

/**
 * Keeps pictures of the page, light and dark, in docs/screenshots/ if `CONSOLE_SCREENSHOTS=write`.
 */
export async function keepScreenshots(page: Page, name: string): Promise<void> {
  if (process.env['CONSOLE_SCREENSHOTS'] !== 'write') return;
  const folder = join(projectRoot, 'docs/screenshots');
  await mkdir(folder, { recursive: true });
  await page.setViewportSize({ width: 1280, height: 800 });
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme });
    // What is drawn on a canvas follows the theme in the next frame.
    await page.evaluate(
      'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))',
    );
    const picture = await page.screenshot({ animations: 'disabled' });
    await writeFile(join(folder, `${name}-${theme}.png`), withFewColours(picture));
  }
  await page.emulateMedia({ colorScheme: null });
}
