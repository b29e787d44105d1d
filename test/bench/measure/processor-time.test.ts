import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { test } from 'node:test';
import { listener } from '../../../bench/capacity/listener.ts';
import { freePort } from '../../../bench/measure/free-port.ts';
import { processorUse, residentBytes, threadTimes, total } from '../../../bench/measure/processor-time.ts';

const skip = !existsSync('/proc/self/task') && 'this system has no /proc';

test('processor time and memory of a process', { skip }, () => {
  const times = threadTimes(process.pid);
  assert.ok(times?.has(process.pid));
  assert.ok((residentBytes(process.pid) ?? 0) > 2 ** 20);
});

test('processor time is listed by thread, the busiest first, without idle ones', () => {
  const before = new Map([
    [1, 5],
    [2, 1],
    [3, 1],
    [4, 7],
  ]);
  const after = new Map([
    [1, 6],
    [2, 2],
    [3, 5],
    [4, 7],
    [9, 3],
  ]);
  const use = processorUse(1, before, after);
  assert.deepEqual(use, { main: 1, others: [4, 3, 1] });
  assert.equal(total(use), 9);
});

test('a process that is not there has neither', () => {
  assert.equal(threadTimes(2 ** 30), undefined);
  assert.equal(residentBytes(2 ** 30), undefined);
});

test('the process that listens on a port is found', { skip }, async (context) => {
  const server = createServer().listen(0, '127.0.0.1');
  context.after(() => server.close());
  await once(server, 'listening');
  assert.equal(listener((server.address() as AddressInfo).port), process.pid);
  assert.equal(listener(await freePort()), undefined);
});
