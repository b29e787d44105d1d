import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { availableParallelism, platform } from 'node:os';
import { describe, it, type TestContext } from 'node:test';
import { BASE, startServer } from '../support/server-process.ts';

const EX = 'http://example.org/';
const STARTS = 500;
const BATCHES = 8;
const NICE = 10;

const DATA = Array.from(
  { length: STARTS },
  (_, i) => `<${EX}${i}> <${EX}n> "${i}" ; <${EX}next> <${EX}${(i + 1) % STARTS}> .\n`,
).join('');

/** Starts one busy process per processor. They end with the test. */
function takeAllProcessors(t: TestContext): void {
  for (let i = 0; i < availableParallelism(); i++) {
    const child = spawn(process.execPath, ['--eval', 'for (;;);'], { stdio: 'ignore' });
    t.after(() => child.kill('SIGKILL'));
  }
}

const threadsOf = (pid: number) => readdirSync(`/proc/${pid}/task`);

describe('a server on a busy host', () => {
  it('completes batches beside single evaluations, and loses no thread', {
    skip: platform() !== 'linux' && 'Only Linux lists the threads of a process in /proc.',
    timeout: 300_000,
  }, async (t) => {
    const args = ['--memory', '--threads', '2'];
    const { url, process: server } = await startServer(t, args, {}, BASE, ['nice', '-n', String(NICE)]);
    const headers = { 'Content-Type': 'text/turtle' };
    const put = await fetch(`${url}/context?graph=urn:x:g`, { method: 'PUT', headers, body: DATA });
    assert.equal(put.status, 201);
    const batch = async (number: number) => {
      const uris = Array.from({ length: STARTS }, (_, i) => `${EX}${i}`);
      const program = `n${number} = <${EX}next> / <${EX}n> ;`;
      const response = await fetch(`${url}/ldpath/batch`, {
        method: 'POST',
        body: JSON.stringify({ program, uris }),
      });
      assert.equal(response.status, 200);
      const last = (await response.text()).trimEnd().split('\n').at(-1)!;
      const { done, count, errors } = JSON.parse(last) as Record<string, unknown>;
      assert.deepEqual([done, count, errors], [true, STARTS, 0]);
    };
    const evaluate = async (i: number) => {
      const path = encodeURIComponent(`<${EX}n>`);
      const response = await fetch(`${url}/ldpath/path?path=${path}&uri=${EX}${i % STARTS}`);
      assert.equal(response.status, 200);
    };
    await Promise.all([batch(0), batch(0), evaluate(0), evaluate(1)]);
    const before = threadsOf(server.pid!);

    takeAllProcessors(t);
    let over = false;
    const singles = (async () => {
      for (let i = 0; !over; i++) await evaluate(i);
    })();
    for (let number = 0; number < BATCHES; number++) await Promise.all([batch(number), batch(number)]);
    over = true;
    await singles;
    const after = new Set(threadsOf(server.pid!));
    assert.deepEqual(
      before.filter((thread) => !after.has(thread)),
      [],
    );
  });
});
