import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SnapshotDescriptor } from '../../../src/snapshot/descriptor.ts';
import { type MaintenanceEvent, MaintenanceWatch } from '../../../src/store/main/maintenance-watch.ts';

const snapshot = { sequence: 7, quadCount: 42 } as SnapshotDescriptor;

function watched() {
  const events: Omit<MaintenanceEvent, 'duration'>[] = [];
  const watch = new MaintenanceWatch(({ duration, ...event }) => {
    assert.equal(duration === undefined, event.state === 'begun');
    events.push(event);
  });
  return { watch, events };
}

test('a checkpoint is logged at its start, and with its sizes when it is installed', () => {
  const { watch, events } = watched();
  watch.begin({ kind: 'checkpoint', snapshot, directory: '', imageFile: '', journalBytes: 100 });
  const value = { image: { bytes: 350, pieceBytes: 350, pieces: [''] }, needsNewFormat: false };
  watch.note({ kind: 'checkpoint', result: { ok: true, value } });
  const about = { work: 'checkpoint', commit: 7, quads: 42, journalBytes: 100 };
  assert.deepEqual(events, [{ ...about, state: 'begun' }]);
  watch.end(true);
  assert.deepEqual(events[1], { ...about, state: 'finished', imageBytes: 350, writeAmplification: 4.5 });
});

test('a failed checkpoint is logged, and one that never started is not', () => {
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
