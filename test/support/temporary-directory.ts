import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

/** Creates an empty directory that is removed when the test ends. */
export async function temporaryDirectory(context: TestContext): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'pathpool-test-'));
  context.after(() => rm(directory, { recursive: true, force: true, maxRetries: 3 }));
  return directory;
}
