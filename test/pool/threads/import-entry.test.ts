import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { promisify } from 'node:util';
import { projectRoot } from '../../support/project.ts';

const isBuilt = existsSync(join(projectRoot, 'dist/src/pool/threads/worker-url.js'));

/** Terminates threads after 40 to 220 ms, which is before, while and after they load their code. */
const program = `
import { setTimeout as wait } from 'node:timers/promises';
import { Piscina } from 'piscina';
import { piscinaEntry, workerUrl } from './dist/src/pool/threads/worker-url.js';
for (let ms = 40; ms < 220; ms += 3) {
  const piscina = new Piscina({ ...piscinaEntry(workerUrl('job')), minThreads: 1, maxThreads: 1 });
  piscina.on('error', () => {});
  await wait(ms);
  await piscina.destroy();
}
console.log('alive');
`;

it('a thread that is terminated while it loads its code leaves the process alive', {
  skip: isBuilt ? false : 'The threads of the build are tested: run `npm run build` first.',
}, async () => {
  for (let round = 0; round < 3; round++) {
    const args = ['--input-type=module', '--eval', program];
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: projectRoot });
    assert.equal(stdout, 'alive\n');
  }
});
