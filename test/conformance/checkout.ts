/** Fetches suites from other repositories once, into a folder that git ignores. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { projectFile } from '../support/project.ts';
import { killAfter } from './kill-after.ts';

const FETCH_MS = 90_000;
const cache = projectFile('.cache');

/** A commit of a public repository, and the folder in it that is wanted. */
export interface Checkout {
  readonly repository: string;
  readonly commit: string;
  readonly folder: string;
}

export function cacheFolder(name: string): string {
  return join(cache, name);
}

/**
 * Returns the folder of a checkout, and fetches it if it is missing. Returns undefined if git
 * cannot fetch it.
 */
export async function checkedOut(place: string, checkout: Checkout): Promise<string | undefined> {
  const isThere = existsSync(place) || (await fetchOnce(place, checkout.folder, cloneOf(checkout)));
  return isThere ? join(place, checkout.folder) : undefined;
}

/** Creates the folder only when it is complete; `wanted` is the subfolder that must exist. */
export async function fetchOnce(
  place: string,
  wanted: string,
  fetchInto: (folder: string) => Promise<boolean>,
): Promise<boolean> {
  const partial = `${place}.partial`;
  await rm(partial, { recursive: true, force: true });
  await mkdir(partial, { recursive: true });
  const isThere = (await fetchInto(partial)) && existsSync(join(partial, wanted));
  if (isThere) await rename(partial, place);
  else await rm(partial, { recursive: true, force: true });
  return isThere;
}

export function cloneOf({ repository, commit, folder }: Checkout): (place: string) => Promise<boolean> {
  return async (place) => {
    const git = (...args: string[]) => runs('git', ['-C', place, ...args]);
    return (
      (await git('init', '-q')) &&
      (await git('fetch', '-q', '--depth=1', repository, commit)) &&
      (await git('checkout', '-q', 'FETCH_HEAD', '--', folder))
    );
  };
}

/** Whether a command ran successfully. */
export function runs(command: string, args: readonly string[]): Promise<boolean> {
  return new Promise((resolve) => {
    const env = { ...process.env, GIT_TERMINAL_PROMPT: '0' };
    const child = spawn(command, args, { env, stdio: 'ignore' });
    killAfter(child, FETCH_MS);
    child.once('error', () => resolve(false));
    child.once('exit', (status) => resolve(status === 0));
  });
}
