import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UpdatedData } from '../../../../src/sparql/effects/updated-data.ts';
import { InstanceChanges } from '../../../../src/sparql/engine/update/instance-changes.ts';
import { RequestSpellings } from '../../../../src/sparql/engine/update/request-spellings.ts';
import { SimDisk } from '../../../simulation/sim-disk.ts';
import { openOn } from '../../../support/stores.ts';
import { instanceOf } from '../../engine-instance.ts';
import { settings } from '../../updates.ts';

const ROWS = 1_000_000;
const ROW_BYTES = 16;

test('the removed quads of a cleared graph are stored outside the heap, 16 bytes each', async () => {
  const store = await openOn(new SimDisk({ seed: 1 }));
  const instance = instanceOf(store);
  const data = new UpdatedData(instance.reader, { settings, emptyGraphs: [] });
  const changes = new InstanceChanges(instance, data, new RequestSpellings(instance));
  const before = process.memoryUsage().arrayBuffers;
  for (let row = 1; row <= ROWS; row++) changes.note(row, 2, 3, 4);
  assert.ok(process.memoryUsage().arrayBuffers - before >= ROWS * ROW_BYTES);
  assert.equal(changes.isSpoilt, false);
  await store.close();
});
