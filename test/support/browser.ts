/**
 * Pages in a real browser. They need the package playwright-core, which downloads no browser, and a
 * Chromium of the machine: the one that `CHROMIUM` names, or else the first on the path.
 */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import type { Scope } from './scope.ts';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'chrome'];

/** Only loopback exists, and the browser sends nothing on its own behalf. */
const FLAGS = [
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
  '--no-proxy-server',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Reports what a policy forbids, whether or not the browser itself reports it. */
const REPORT_VIOLATIONS = `document.addEventListener('securitypolicyviolation', (event) =>
  console.error('forbidden by ' + event.effectiveDirective + ': ' + event.blockedURI));`;

const playwright = await import('playwright-core').catch(() => undefined);
const executablePath = process.env['CHROMIUM'] || findExecutable();

/** Why there is no browser; false if there is one. */
export const withoutBrowser: string | false = playwright
  ? executablePath === undefined && `Chromium is not installed: none of ${NAMES.join(', ')} is on the path`
  : 'the package playwright-core is not installed';

function findExecutable(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Starts a browser with a new profile, which ends with the scope. */
export async function launchBrowser(scope: Scope): Promise<Browser> {
  if (!playwright || executablePath === undefined) throw new Error(String(withoutBrowser));
  // Its sandbox does not work for root, nor in most containers.
  const browser = await playwright.chromium.launch({ executablePath, args: FLAGS, chromiumSandbox: false });
  scope.after(() => browser.close());
  return browser;
}

interface PageOptions {
  /** The only origin to which the page may send requests. */
  readonly origin: string;
  /** What a person types into the browser when the server asks for it. */
  readonly login?: { readonly username: string; readonly password: string };
}

export interface WatchedPage {
  readonly page: Page;
  /**
   * Errors and warnings in the console, exceptions, violations of the policy, and requests to
   * another origin, so far.
   */
  readonly complaints: readonly string[];
}

/** Opens an empty page, without what other pages have stored. */
export async function openPage(browser: Browser, { origin, login }: PageOptions): Promise<WatchedPage> {
  const httpCredentials = login && { ...login, origin };
  const context = await browser.newContext({ ...(httpCredentials && { httpCredentials }) });
  await context.addInitScript(REPORT_VIOLATIONS);
  const complaints: string[] = [];
  context.on('request', (request) => {
    const { protocol, origin: target } = new URL(request.url());
    if (protocol !== 'data:' && target !== origin) complaints.push(`request to ${request.url()}`);
  });
  context.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(`console: ${message.text()}`);
  });
  context.on('weberror', (error) => complaints.push(`exception: ${error.error().message}`));
  return { page: await context.newPage(), complaints };
}
