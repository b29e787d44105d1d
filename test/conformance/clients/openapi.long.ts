/**
 * A client is generated from the description of the interface by openapi-typescript, compiles with
 * it, and works. The generator needs the TypeScript of its own generation, so it is no dependency.
 */
import assert from 'node:assert/strict';
import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { projectFile } from '../../support/project.ts';
import { startServer } from '../../support/server-process.ts';
import { npmFolder } from './install.ts';
import { runCommand } from './run-command.ts';

const LIMIT_MS = 300_000;
const packages = ['openapi-typescript@7.13.0', 'openapi-fetch@0.17.0', 'typescript@5.9.3', '@types/node@20'];
const strict = [
  '--strict',
  '--checkJs',
  '--noEmit',
  '--skipLibCheck',
  '--allowImportingTsExtensions',
  '--module',
  'nodenext',
  '--target',
  'es2022',
];

test('a client that openapi-typescript generates compiles and works (T-20)', async (context) => {
  const folder = await npmFolder('openapi', ...packages);
  if (folder === undefined) return context.skip('npm could not install openapi-typescript');
  const { url } = await startServer(context, ['--memory', '--threads', '2'], {}, null);
  const bin = (name: string) => join(folder, 'node_modules', '.bin', name);
  const file = (name: string) => join(folder, name);
  await writeFile(file('openapi.json'), await (await fetch(`${url}/openapi.json`)).text());
  await copyFile(projectFile('test/conformance/clients/openapi/calls.js'), file('calls.mjs'));
  await run(bin('openapi-typescript'), file('openapi.json'), '-o', file('schema.ts'));
  await run(
    bin('tsc'),
    ...strict,
    '--types',
    'node',
    '--typeRoots',
    file('node_modules/@types'),
    file('calls.mjs'),
  );
  assert.match(await run(process.execPath, file('calls.mjs'), url), /^done$/m);
});

async function run(command: string, ...args: readonly string[]): Promise<string> {
  const { status, out, err } = await runCommand(command, args, LIMIT_MS);
  assert.equal(status, 0, `${command} ended with ${status}: ${out}${err}`);
  return out;
}
