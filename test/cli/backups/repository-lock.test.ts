import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rename, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { it, type TestContext } from 'node:test';
import { lockRepository } from '../../../src/cli/backups/repository-lock.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

function lock(root: string) {
  return lockRepository(root, (message) => assert.fail(message));
}

/** A lock whose file can't be read when it is released. */
async function failedRelease(context: TestContext): Promise<string> {
  const root = await temporaryDirectory(context);
  const held = await lock(root);
  await rename(join(root, 'lock.1'), join(root, 'kept'));
  await mkdir(join(root, 'lock.1'));
  await assert.rejects(held.release());
  await rmdir(join(root, 'lock.1'));
  await rename(join(root, 'kept'), join(root, 'lock.1'));
  return root;
}

it('a process takes its own lock again that it could not remove', async (context) => {
  const root = await failedRelease(context);
  const again = await lock(root);
  await assert.rejects(lock(root), { code: 'data-locked' });
  await again.release();
  assert.deepEqual(await readdir(root), []);
});

it('a holder is told whether its lock was taken, or can not be read', async (context) => {
  const root = await temporaryDirectory(context);
  const held = await lock(root);
  await held.requireHeld();
  const text = await readFile(join(root, 'lock.1'), 'utf8');
  assert.ok(text.length > 0);
  await rm(join(root, 'lock.1'));
  await assert.rejects(held.requireHeld(), { code: 'data-locked', message: /has taken over/ });
  await mkdir(join(root, 'lock.1'));
  await assert.rejects(held.requireHeld(), { code: 'data-locked', message: /can't be read: EISDIR/ });
  await rmdir(join(root, 'lock.1'));
  await held.release();
});
