import type { TestContext } from 'node:test';
import { startServer } from '../../support/server-process.ts';

/** The URL of a new server, whose base URI is that URL. */
export async function serverUrl(context: TestContext, ...args: string[]): Promise<string> {
  const { url } = await startServer(context, ['--memory', ...args], {}, null);
  return `http://localhost:${new URL(url).port}`;
}
