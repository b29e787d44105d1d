import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { shareOrCopy, shareOrCopyBlock } from '../../../src/pool/worker/transfer.ts';

const FEW = 1_000;
const MANY = 100_000;

test('numbers keep their values when they leave a thread, in a separate buffer', () => {
  const lengths = fc.constantFrom(0, 1, FEW, MANY);
  fc.assert(
    fc.property(lengths, fc.boolean(), fc.nat({ max: 3 }), (length, areWords, offset) => {
      const all = areWords ? new Uint32Array(length + 5) : new Uint8Array(length + 5);
      for (let i = 0; i < all.length; i++) all[i] = 7 * i;
      const part = all.subarray(offset, offset + length);
      const left = areWords ? shareOrCopy(part as Uint32Array) : shareOrCopy(part as Uint8Array);
      assert.equal(Buffer.compare(bytesOf(left), bytesOf(part)), 0);
      assert.equal(left.buffer.byteLength, part.byteLength);
    }),
    { numRuns: 40 },
  );
});

test('few numbers are copied with their message, and many are shared', () => {
  const few = new Uint8Array(FEW);
  assert.equal(shareOrCopy(few), few);
  assert.ok(shareOrCopy(new Uint8Array(MANY)).buffer instanceof SharedArrayBuffer);
});

test('a block leaves a thread unchanged', () => {
  const quads = Uint32Array.from({ length: MANY }, (_, i) => i % 3);
  const block = {
    termBytes: Buffer.from('<a:a><a:b>"c"'),
    termOffsets: Uint32Array.of(0, 5, 10, 13),
    quads,
    graphs: Uint32Array.of(0, 1, 2),
    freshBlankNodes: true,
  };
  const left = shareOrCopyBlock(block);
  assert.deepEqual(Array.from(left.quads), Array.from(quads));
  assert.equal(Buffer.from(left.termBytes).toString(), '<a:a><a:b>"c"');
  assert.deepEqual(left.termOffsets, block.termOffsets);
  assert.deepEqual(left.graphs, block.graphs);
  assert.equal(left.freshBlankNodes, true);
});

function bytesOf({ buffer, byteOffset, byteLength }: Uint8Array | Uint32Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
