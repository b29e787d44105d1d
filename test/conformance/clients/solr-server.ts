import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { TestContext } from 'node:test';
import { temporaryDirectory } from '../../support/temporary-directory.ts';
import { javaPrograms } from './install.ts';

/**
 * Starts Apache Solr with an empty core in a new folder; it ends with the test. Returns the core's
 * URL, or what is missing on this machine.
 */
export async function startSolr(
  context: TestContext,
): Promise<{ readonly core: string } | { readonly missing: string }> {
  const java = await javaPrograms('solr');
  if ('missing' in java) return java;
  const [command, ...args] = java.command('Server.java', await temporaryDirectory(context));
  const solr = spawn(command, args, { stdio: ['pipe', 'pipe', 'ignore'] });
  const ended = once(solr, 'close');
  context.after(async () => {
    solr.kill('SIGKILL');
    await ended;
  });
  for await (const line of createInterface({ input: solr.stdout })) {
    if (line.startsWith('http://')) return { core: line };
  }
  throw new Error('Solr ended before it was ready');
}
