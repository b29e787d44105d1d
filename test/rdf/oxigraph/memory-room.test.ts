import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limitedOxigraph } from '../../../src/rdf/oxigraph/limited.ts';

const SLICE_TRIPLES = 500;

/** Returns lines of N-Triples, long enough that a few slices make the memory grow. */
function slice(number: number): string {
  const text = 'x'.repeat(3_000);
  const line = (i: number) => `<urn:s${number}-${i}> <urn:p> "${text}${number}-${i}" .\n`;
  return Array.from({ length: SLICE_TRIPLES }, (_, i) => line(i)).join('');
}

/** Loads slices, and returns how often the memory grew, its final size and the triples. */
function load(maxBytes: number, slices: number, makesRoom: boolean) {
  const { oxigraph, memory, room } = limitedOxigraph(maxBytes);
  const store = new oxigraph.Store();
  const sizes = new Set<number>();
  for (let number = 0; number < slices; number++) {
    store.load(slice(number), { format: 'application/n-triples' });
    if (makesRoom) room.make();
    sizes.add(memory.buffer.byteLength);
  }
  return { growths: sizes.size - 1, bytes: memory.buffer.byteLength, triples: store.size };
}

test('reserving memory in advance makes it grow less often, within 10% of the size and within the limit', () => {
  const slices = 70;
  const without = load(2 ** 30, slices, false);
  const made = load(2 ** 30, slices, true);
  assert.equal(made.triples, slices * SLICE_TRIPLES);
  assert.ok(made.growths < without.growths / 1.5, `${made.growths} and ${without.growths} times`);
  assert.ok(made.bytes < without.bytes * 1.1, `${made.bytes} and ${without.bytes} bytes`);
  const limited = load(without.bytes + 1024 * 1024, slices, true);
  assert.equal(limited.triples, without.triples);
});
