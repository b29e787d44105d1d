import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { GroupState } from '../../../src/services/tasks/live-state.ts';
import { changesBetween } from '../../../src/services/tasks/state-changes.ts';
import { fakeState, fakeTask, fakeThread } from './fake-states.ts';

const quiet = { begun: 7, ended: 7, running: 0, queued: 0 };
const groups = (LDPath: GroupState) => ({ groups: new Map([['LDPath', LDPath]]) });

test('T-42: changes have whole tasks that appeared, the fields that changed, and how others ended', () => {
  const a = fakeTask('a', { progress: 1, detailMessages: { errors: '0' } });
  const before = fakeState(1000, [a, fakeTask('b'), fakeTask('c')], {}, 'cancelled');
  const later = { progress: 2, detailMessages: { errors: '1' }, lastUpdate: 3, elapsed: 9 };
  const changes = changesBetween(before, fakeState(1250, [{ ...a, ...later }, fakeTask('c'), fakeTask('d')]));
  assert.deepEqual(changes?.appeared, [fakeTask('d')]);
  assert.deepEqual(changes.changed, [
    { id: 'a', progress: 2, detailMessages: { errors: '1' }, lastUpdate: 3 },
  ]);
  assert.deepEqual(changes.ended, [{ id: 'b', name: 'path b', group: 'LDPath', outcome: 'cancelled' }]);
  assert.deepEqual([changes.since, changes.time], [1000, 1250]);
});

test('T-42: a task whose outcome is not known ends with null', () => {
  const changes = changesBetween(fakeState(0, [fakeTask('a')]), fakeState(1));
  assert.equal(changes?.ended[0]?.outcome, null);
});

test('T-42: nothing has happened if only time has passed', () => {
  const a = fakeTask('a', { detailMessages: { errors: '0' } });
  const older = { ...a, elapsed: 300, eta: 5000, lastUpdate: 9, detailMessages: { errors: '0' } };
  const threads = [fakeThread('worker-1', { busyMs: 10, work: { parsing: 10 }, jobs: 3 })];
  const before = fakeState(1000, [a], { threads, ...groups(quiet) });
  assert.equal(changesBetween(before, fakeState(1250, [older], { threads, ...groups(quiet) })), undefined);
});

test('T-43: groups have what began and ended since the state before, and what there is now', () => {
  const before = fakeState(0, [], groups(quiet));
  const now = { begun: 17, ended: 15, running: 1, queued: 1 };
  const busy = changesBetween(before, fakeState(250, [], groups(now)));
  assert.deepEqual({ ...busy?.groups }, { LDPath: { begun: 10, ended: 8, running: 1, queued: 1 } });
  const idle = changesBetween(
    fakeState(250, [], groups(now)),
    fakeState(500, [], groups({ ...quiet, begun: 17, ended: 17 })),
  );
  assert.equal(idle?.groups['LDPath']?.ended, 2);
});

test('T-43: threads have the share of the time in which they had work, by kind, and their jobs', () => {
  const task = { id: 'a', name: 'path a', group: 'LDPath' };
  const before = fakeState(1000, [], {
    threads: [
      fakeThread('worker-1', { busyMs: 100, work: { parsing: 100 }, jobs: 4 }),
      fakeThread('worker-2'),
    ],
  });
  const work = { parsing: 150, evaluating: 75 };
  const after = fakeState(1250, [], {
    threads: [fakeThread('worker-1', { task, busyMs: 225, work, jobs: 10 }), fakeThread('worker-2')],
  });
  assert.deepEqual(changesBetween(before, after)?.threads, [
    { thread: 'worker-1', task, busy: 0.5, work: { parsing: 0.2, evaluating: 0.3 }, jobs: 6 },
  ]);
});

test('T-43: a little work of the main thread alone is no change, but is told with others', () => {
  const threads = (mainMs: number, jobs: number) => ({
    threads: [fakeThread('main', { busyMs: mainMs }), fakeThread('worker-1', { jobs })],
  });
  const before = fakeState(0, [], threads(0, 0));
  assert.equal(changesBetween(before, fakeState(250, [], threads(10, 0))), undefined);
  assert.equal(changesBetween(before, fakeState(250, [], threads(20, 0)))?.threads[0]?.busy, 0.08);
  assert.deepEqual(
    changesBetween(before, fakeState(250, [], threads(10, 1)))?.threads.map(({ thread }) => thread),
    ['main', 'worker-1'],
  );
});

test('a thread that begins or ends a task is a change', () => {
  const task = { id: 'a', name: 'path a', group: 'LDPath' };
  const idle = fakeState(0, [], { threads: [fakeThread('store')] });
  const busy = fakeState(250, [], { threads: [fakeThread('store', { task })] });
  assert.deepEqual(changesBetween(idle, busy)?.threads[0]?.task, task);
  assert.deepEqual(changesBetween(busy, { ...idle, time: 500 })?.threads, []);
});
