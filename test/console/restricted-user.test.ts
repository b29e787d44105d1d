/** Pages for a user who may not read all graphs. It is skipped where Chromium is not installed. */
import { before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { launchBrowser, withoutBrowser } from '../support/browser.ts';
import { withGraphRules } from '../support/graph-rules.ts';
import { suiteScope } from '../support/scope.ts';
import { startServer } from '../support/server-process.ts';
import { assertNoComplaints, openConsole } from './support/console-page.ts';

const rules = ['read user:anna urn:x:*'];
const NEEDED = 'it needs credentials that may read all graphs';

describe('the console for a user who may not read all graphs', { skip: withoutBrowser }, () => {
  const scope = suiteScope();
  let browser: Browser;
  let url: string;
  before(async () => {
    browser = await launchBrowser(scope);
    const args = await withGraphRules(rules, { anna: 'read' }, '--threads', '1')(scope);
    ({ url } = await startServer(scope, args, {}, null));
  });

  for (const address of ['server', 'tasks']) {
    it(`says on the page ${address} what is missing (G-164)`, async () => {
      const watched = await openConsole(browser, url, address);
      const { page } = watched;
      const dialog = page.getByRole('dialog', { name: 'Sign in' });
      await dialog.getByLabel('Name').fill('anna');
      await dialog.getByLabel('Password or token').fill('anna');
      await dialog.getByRole('button', { name: 'Sign in' }).click();
      await page.getByText(NEEDED).first().waitFor();
      await page.getByRole('button', { name: 'Try again' }).waitFor();
      assertNoComplaints(watched, /status of (401|403)/);
    });
  }
});
