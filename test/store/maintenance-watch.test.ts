import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SnapshotDescriptor } from '../../src/snapshot/descriptor.ts';
import { type MaintenanceEvent, MaintenanceWatch } from '../../src/store/maintenance-watch.ts';

const snapshot = { sequence: 7, quadCount: 42 } as SnapshotDescriptor;
const digest = (bytes: number) => ({ bytes, digest: '' });

function watched() {
  const events: Omit<MaintenanceEvent, 'duration'>[] = [];
  const watch = new MaintenanceWatch(({ duration, ...event }) => {
    assert.equal(duration === undefined, event.state === 'begun');
    events.push(event);
  });
  return { watch, events };
}

test('a checkpoint is told of when it begins, and with its sizes when the store has it', () => {
  const { watch, events } = watched();
  watch.begin({ kind: 'checkpoint', snapshot, directory: '', quadsFile: '', imageFile: '' });
  const value = { quads: digest(100), image: digest(200) };
  watch.note({ kind: 'checkpoint', result: { ok: true, value } });
  const about = { work: 'checkpoint', commit: 7, quads: 42 };
  assert.deepEqual(events, [{ ...about, state: 'begun' }]);
  watch.end(true);
  assert.deepEqual(events[1], { ...about, state: 'finished', quadsBytes: 100, imageBytes: 200 });
});

test('what fails is told of as such, and what never began is not', () => {
  const { watch, events } = watched();
  watch.end(true);
  watch.begin({
    kind: 'compact',
    snapshot,
    compaction: { snapshot, into: 'run', from: 0, to: 0 },
  });
  watch.note({
    kind: 'compact',
    result: { ok: false, error: { code: 'internal', message: '', details: {} } },
  });
  watch.end(false);
  watch.end(true);
  assert.deepEqual(
    events.map(({ work, state }) => `${work} ${state}`),
    ['compact begun', 'compact failed'],
  );
});
