import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, statSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import type { CapacityReport } from '../../../bench/capacity/report.ts';
import { freePort } from '../../../bench/measure/free-port.ts';
import { isCompiled, projectRoot } from '../../support/project.ts';
import { startServer } from '../../support/server-process.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

/** The compiled planner, which starts faster, unless the source has changed since. */
const entry =
  isCompiled || isBuilt() ? ['dist/bench/capacity/main.js'] : ['--import', 'tsx', 'bench/capacity/main.ts'];

const PEOPLE = Array.from(
  { length: 50 },
  (_, i) => `<http://example.org/${i}> <http://xmlns.com/foaf/0.1/name> "Person ${i}" .\n`,
).join('');

test('capacity: measures a running server over loopback, and reports', async (context) => {
  const directory = await temporaryDirectory(context);
  const server = await startServer(context, ['--memory', '--threads', '1']);
  const headers = { 'Content-Type': 'application/n-triples' };
  await fetch(`${server.url}/context?graph=urn:x:people`, { method: 'PUT', headers, body: PEOPLE });
  const kinds = ['--kinds', 'path,program,batch,resource,context,write', '--writes'];
  const bounds = ['--quick', '--seconds', '0.1', '--p99', '60s'];
  const { status, err, out } = await runCapacity([
    '--url',
    server.url,
    ...kinds,
    ...bounds,
    '--out',
    directory,
  ]);
  assert.equal(status, 0, err);
  const report = await reportIn(directory);
  assert.deepEqual(
    report.kinds.map(({ kind }) => kind),
    ['path', 'program', 'batch', 'resource', 'context', 'write'],
  );
  for (const { kind, failures, requestsPerSecond, points } of report.kinds) {
    assert.equal(failures, 0, kind);
    assert.ok(requestsPerSecond > 0 && points.length > 0, kind);
  }
  assert.match(out, /limited by/);
  assert.match(err, /path at \d+\/s: p50/);
});

test('capacity: starts servers for data of its own, finds start resources, and leaves nothing behind', async (context) => {
  const directory = await temporaryDirectory(context);
  const data = join(directory, 'people.nt');
  await writeFile(data, PEOPLE);
  const bounds = ['--quick', '--seconds', '0.1', '--p99', '60s', '--threads', '1,2', '--kinds', 'path'];
  const { status, err } = await runCapacity(['--data', data, ...bounds, '--out', directory]);
  assert.equal(status, 0, err);
  const report = await reportIn(directory);
  // A server has some quads of its own.
  assert.ok(report.starts >= 50);
  assert.ok((report.holding?.quads ?? 0) >= 50);
  assert.deepEqual(
    report.scalings[0]?.points.map(({ threads }) => threads),
    [1, 2],
  );
  assert.ok(report.recommended === 1 || report.recommended === 2);
});

test('capacity: Ctrl-C ends the processes that it started', async (context) => {
  const directory = await temporaryDirectory(context);
  const data = join(directory, 'people.nt');
  await writeFile(data, PEOPLE);
  const child = spawnCapacity(['--data', data, '--seconds', '0.5', '--threads', '1,2', '--out', directory], {
    TMPDIR: directory,
  });
  context.after(() => child.kill('SIGKILL'));
  const ended = once(child, 'exit');
  await new Promise<void>((resolve) => {
    child.stderr.on('data', (chunk: Buffer) => {
      if (chunk.includes('path with 1 thread:')) resolve();
    });
  });
  child.kill('SIGINT');
  assert.deepEqual(await ended, [130, null]);
  const left = (await readdir(directory)).filter((name) => name.startsWith('pathpool-'));
  assert.deepEqual(left, []);
});

test('capacity: a line reports what cannot be measured', async (context) => {
  const directory = await temporaryDirectory(context);
  const unreachable = await runCapacity([
    '--url',
    `http://127.0.0.1:${await freePort()}`,
    '--out',
    directory,
  ]);
  assert.equal(unreachable.status, 1);
  assert.match(unreachable.err, /^capacity: http:\/\/127\.0\.0\.1:\d+ can't be reached: .*ECONNREFUSED.*\n$/);
  const nothing = await runCapacity([]);
  assert.equal(nothing.status, 2);
  assert.match(nothing.err, /^capacity: Expected one of --url/);
});

function isBuilt(): boolean {
  const built = statSync(join(projectRoot, 'dist/.tsbuildinfo'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const sources = ['src', 'workers', 'bench'].flatMap((folder) =>
    readdirSync(join(projectRoot, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.includes('node_modules'))
      .map((file) => join(projectRoot, folder, file)),
  );
  return sources.every((file) => statSync(file).mtimeMs < built);
}

function spawnCapacity(args: readonly string[], environment: Record<string, string> = {}) {
  return spawn(process.execPath, [...entry, ...args], {
    cwd: projectRoot,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

async function runCapacity(args: readonly string[]) {
  const child = spawnCapacity(args);
  const [out, err, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { out, err, status: status as number | null };
}

async function reportIn(directory: string): Promise<CapacityReport> {
  const name = (await readdir(directory)).find((each) => each.endsWith('.json'))!;
  assert.match(
    await readFile(join(directory, name.replace('.json', '.html')), 'utf8'),
    /^<!DOCTYPE html>.*<svg/s,
  );
  return JSON.parse(await readFile(join(directory, name), 'utf8'));
}
