import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { projectRoot } from '../support/project.ts';
import { runPathpool, type ServerProcess, startServer } from '../support/server-process.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { availableFronts } from '../support/tested-front.ts';

const MEMORY = ['--memory', '--threads', '1', '--sparql-threads', '0'];
const chosen = { PATHPOOL_LOG_LEVEL: 'info' };
const withoutBinary = {
  ...chosen,
  NODE_OPTIONS: `--require ${JSON.stringify(join(projectRoot, 'test/support/without-uws.cjs'))}`,
};

async function stateOf(url: string): Promise<{ front: string }> {
  return (await fetch(`${url}/health`)).json() as Promise<{ front: string }>;
}

/** The lines of the log up to the one about the start, which may come after the start line. */
async function logUntilStart(server: ServerProcess): Promise<string[]> {
  while (!/"event":"start".*\n/.test(server.errors)) await turn();
  return server.errors.split('\n');
}

describe('a server', () => {
  it('names its front in the start line, the log and /health', async (t) => {
    for (const front of availableFronts) {
      const server = await startServer(t, [...MEMORY, '--front', front], chosen, null);
      assert.match(server.readyLine, new RegExp(`, front ${front}\\)$`));
      assert.match((await logUntilStart(server)).join(), new RegExp(`"event":"start".*"front":"${front}"`));
      assert.equal((await stateOf(server.url)).front, front);
      assert.equal(await server.end('SIGTERM'), 0);
    }
  });

  it('serves by node:http where uWebSockets.js has no binary, and one line of the log says why', {
    skip: process.env['PATHPOOL_FRONT'] !== undefined && 'PATHPOOL_FRONT chooses a front.',
  }, async (t) => {
    const server = await startServer(t, MEMORY, withoutBinary, null);
    assert.equal((await stateOf(server.url)).front, 'node');
    const lines = (await logUntilStart(server)).filter((line) => line.includes("can't be loaded"));
    assert.equal(lines.length, 1);
    assert.match(lines[0]!, /"level":40,.*"reason":".+"/);
  });

  it('says nothing of its front if it cannot start for another reason', async (t) => {
    const file = join(await temporaryDirectory(t), 'file');
    await writeFile(file, '');
    const { status, err } = await runPathpool(['--port', '0', '--data', file], withoutBinary);
    assert.equal(status, 2);
    assert.equal(err, `pathpool: ${file} is a file, not a directory.\n`);
  });

  it('does not start if uWebSockets.js is demanded and has no binary', async () => {
    const { status, err } = await runPathpool([...MEMORY, '--front', 'uws', '--port', '0'], withoutBinary);
    assert.equal(status, 2);
    assert.match(err, /^pathpool: --front uws: uWebSockets\.js can't be loaded on .* Use --front node/m);
  });
});
