import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Pool } from '../../src/pool/pool.ts';
import { PoolWork } from '../../src/startup/pool-work.ts';
import type { ChangeRequest, Maintenance } from '../../src/store/messages.ts';

test('work that the store requests before there is a pool is done in the pool later', async () => {
  const work = new PoolWork();
  const done: string[] = [];
  const note = (name: string) => () => {
    done.push(name);
    return Promise.resolve({ ok: true, value: name });
  };
  const requests = [
    work.maintain({ kind: 'compact' } as Maintenance),
    work.maintain({ kind: 'checkpoint' } as Maintenance),
    work.workOut({ kind: 'plan-changes' } as ChangeRequest),
    work.workOut({ kind: 'build-changes' } as ChangeRequest),
    work.workOut({ kind: 'encode-changes' } as ChangeRequest),
  ];
  await new Promise(setImmediate);
  assert.deepEqual(done, []);
  const names = ['compact', 'checkpoint', 'planChanges', 'buildChanges', 'encodeChanges'];
  work.beginIn(Object.fromEntries(names.map((name) => [name, note(name)])) as unknown as Pool);
  const value = (name: string) => ({ ok: true, value: name });
  assert.deepEqual(await Promise.all(requests), [
    { kind: 'compact', result: value('compact') },
    { kind: 'checkpoint', result: value('checkpoint') },
    value('planChanges'),
    value('buildChanges'),
    value('encodeChanges'),
  ]);
  assert.deepEqual(done, names);
});
