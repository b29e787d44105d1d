/**
 * The package as `npm pack` makes it in a fresh clone, installed by `npm install` with a cache of
 * its own. It is skipped where npm's registry can't be reached.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { before, describe, it } from 'node:test';
import { cloneTo, packIn, run, type Tarball } from './support/installed-package.ts';
import { projectFile } from './support/project.ts';
import { suiteScope } from './support/scope.ts';
import { temporaryDirectory } from './support/temporary-directory.ts';

const MB = 1_000_000;

async function isRegistryThere(): Promise<boolean> {
  return run('npm', ['view', 'n3@2.13.12', 'version', '--fetch-retries=0']).then(
    () => true,
    () => false,
  );
}

/** The size on disk, in bytes. */
async function sizeOf(folder: string): Promise<number> {
  const { stdout } = await run('du', ['-sk', folder]);
  return Number.parseInt(stdout, 10) * 1024;
}

const skip = (await isRegistryThere()) ? false : "npm's registry can't be reached";

describe('the package of a fresh clone', { skip }, () => {
  const scope = suiteScope();
  let folder: string;
  let tarball: Tarball;

  before(async () => {
    folder = await temporaryDirectory(scope);
    const clone = join(folder, 'clone');
    mkdirSync(clone);
    cloneTo(clone);
    tarball = await packIn(clone, folder, []);
  });

  async function install(name: string, ...options: string[]): Promise<string> {
    const place = join(folder, name);
    mkdirSync(place);
    writeFileSync(join(place, 'package.json'), '{ "private": true }');
    const cache = join(folder, 'cache');
    await run('npm', ['install', '--cache', cache, ...options, tarball.file], { cwd: place });
    return place;
  }

  it('is built', () => {
    assert.ok(tarball.paths.includes('dist/src/main.js'));
    assert.ok(tarball.paths.includes('dist/src/library/client/entry.d.ts'));
    assert.ok(!tarball.paths.some((path) => /^dist\/(bench|test)|\.map$|tsbuildinfo/.test(path)));
  });

  it('serves by npx, and takes less than 40 MB when it is trimmed', async (context) => {
    const place = await install('whole');
    const { stdout } = await run('npx', ['pathpool', '--version'], { cwd: place });
    assert.match(stdout, /^\d+\.\d+\.\d+\n$/);
    const modules = join(place, 'node_modules');
    await run(process.execPath, [projectFile('deploy/trim-modules.mjs'), modules]);
    const size = await sizeOf(modules);
    context.diagnostic(`${Math.round(size / MB)} MB`);
    assert.ok(size < 40 * MB, `${size} bytes`);
    const server: ChildProcess = spawn('npx', ['pathpool', '--port', '0', '--threads', '1'], {
      cwd: place,
      stdio: ['ignore', 'pipe', 'inherit'],
      detached: true,
    });
    context.after(() => {
      if (server.exitCode === null && server.signalCode === null) process.kill(-server.pid!, 'SIGKILL');
    });
    const [line] = (await once(createInterface({ input: server.stdout! }), 'line')) as [string];
    assert.equal((await fetch(`${/http:\S+/.exec(line)![0]}/health/live`)).status, 200);
    // As a terminal does, to npx and the server.
    process.kill(-server.pid!, 'SIGINT');
    await once(server, 'close');
    assert.ok(existsSync(join(place, 'data', 'journal.seal')));
  });
});
