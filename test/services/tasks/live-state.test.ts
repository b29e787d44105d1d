import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LiveTask } from '../../../src/pool/tasks/live-task.ts';
import { epochMs, monotonicMs } from '../../../src/pool/threads/monotonic-clock.ts';
import { readState } from '../../../src/services/tasks/live-state.ts';
import { ProcessNames } from '../../../src/services/tasks/process-tasks.ts';
import { fakeLive, fakeTask, fakeThread } from './fake-states.ts';

const now = () => epochMs(monotonicMs());

/** A task that began a second ago. */
function old(id: string, state: 'running' | 'queued' = 'running', group = 'LDPath'): LiveTask {
  return fakeLive(fakeTask(id, { state, group, started: now() - 1000 }));
}

function sourcesOf(live: readonly LiveTask[], begun: Record<string, number> = {}) {
  const tasks = { live: () => live, begun: () => Object.entries(begun) };
  return { tasks, readThreads: () => [fakeThread('main')] };
}

test('T-41: young tasks are counted, but not listed', () => {
  const young = fakeLive(fakeTask('young', { started: now() }));
  const state = readState(sourcesOf([old('a'), young, old('b', 'queued')], { LDPath: 10 }));
  assert.deepEqual([...state.tasks.keys()], ['a', 'b']);
  assert.equal(state.unlisted, 0);
  assert.deepEqual(state.groups.get('LDPath'), { begun: 10, ended: 7, running: 2, queued: 1 });
});

test('T-41: of many tasks 500 are listed, running ones first', () => {
  const waiting = Array.from({ length: 600 }, (_, i) => old(`w${i}`, 'queued'));
  const { tasks, unlisted, groups } = readState(sourcesOf([...waiting, old('a', 'running', 'Importer')]));
  assert.equal(tasks.size, 500);
  assert.equal(tasks.keys().next().value, 'a');
  assert.equal(unlisted, 101);
  assert.equal(groups.get('LDPath')?.queued, 600);
});

test('the number of ended tasks never falls, while a task passes from one thread to another', () => {
  const between = readState(sourcesOf([], { Importer: 1 }));
  assert.equal(between.groups.get('Importer')?.ended, 1);
  const storing = readState(sourcesOf([old('a', 'running', 'Importer')], { Importer: 1 }), between);
  assert.equal(storing.groups.get('Importer')?.ended, 1);
});

test('T-45: in a cluster tasks and threads have the name of their process', () => {
  const task = { id: 'a', name: 'path a', group: 'LDPath' };
  const sources = {
    ...sourcesOf([old('a')]),
    readThreads: () => [fakeThread('worker-1', { task })],
    names: new ProcessNames('h1'),
  };
  const { tasks, threads } = readState(sources);
  assert.deepEqual([...tasks.keys()], ['h1.a']);
  assert.equal(tasks.get('h1.a')?.task.thread, 'h1/worker-1');
  assert.deepEqual(threads[0]?.task, { id: 'h1.a', name: 'path a@h1', group: 'LDPath' });
  assert.equal(threads[0]?.thread, 'h1/worker-1');
});
