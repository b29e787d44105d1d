import assert from 'node:assert/strict';
import { mkdir, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { ConsoleFiles } from '../../../../src/http/routes/console/files.ts';
import { temporaryDirectory } from '../../../support/temporary-directory.ts';

it('T-60: a file that could not be read once is read by the next request', async (t) => {
  const folder = await temporaryDirectory(t);
  const path = join(folder, 'assets', 'main.js');
  await mkdir(path, { recursive: true });
  const files = new ConsoleFiles(pathToFileURL(`${folder}/`));
  await assert.rejects(files.asset('main.js', undefined), { code: 'EISDIR' });
  await rmdir(path);
  await writeFile(path, 'run();');
  const { body } = (await files.asset('main.js', undefined))!;
  assert.equal(Buffer.from(body).toString(), 'run();');
});
