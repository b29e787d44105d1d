import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Scope } from './scope.ts';

/** Creates an empty directory that is removed at the end of the scope. */
export async function temporaryDirectory(scope: Scope): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'pathpool-test-'));
  scope.after(() => rm(directory, { recursive: true, force: true, maxRetries: 3 }));
  return directory;
}
