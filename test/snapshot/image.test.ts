import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { readImage, writeImage } from '../../src/snapshot/image.ts';
import { planMerge } from '../../src/snapshot/plan.ts';
import { openSnapshot } from '../../src/snapshot/reader.ts';
import { SnapshotError } from '../../src/snapshot/snapshot-error.ts';
import { SnapshotWriter, type StoredSnapshot } from '../../src/snapshot/writer.ts';
import { blockOf } from './blocks.ts';

function filledWriter(): SnapshotWriter {
  const writer = new SnapshotWriter();
  const quads = Array.from({ length: 300 }, (_, i) => ({
    subject: `<s${i % 40}>`,
    predicate: `<p${i % 5}>`,
    object: `"${i}"`,
  }));
  writer.apply(planMerge(writer, 'g', blockOf(quads), ''));
  writer.publish(2 ** 40 + 7);
  return writer;
}

async function imageOf(writer: SnapshotWriter): Promise<Buffer> {
  const chunks: Buffer[] = [];
  await writeImage(writer.descriptor, async (chunk) => {
    chunks.push(Buffer.from(chunk));
  });
  return Buffer.concat(chunks);
}

/** Hands out at most `piece` bytes at a time, as files may. */
function read(image: Buffer, piece = Number.POSITIVE_INFINITY, size = image.length): Promise<StoredSnapshot> {
  let at = 0;
  return readImage(size, (target) => {
    const bytes = image.copy(target, 0, at, Math.min(at + piece, image.length));
    at += bytes;
    return bytes;
  });
}

describe('An image', () => {
  it('brings back the same quads under the same ids', async () => {
    const writer = filledWriter();
    const again = new SnapshotWriter(await read(await imageOf(writer), 100));
    const [x, y] = [openSnapshot(writer.descriptor), openSnapshot(again.descriptor)];
    assert.deepEqual(
      [y.sequence, y.quadCount, y.terms.termCount],
      [x.sequence, x.quadCount, x.terms.termCount],
    );
    const [these, those] = [x.allQuads(), y.allQuads()];
    while (these.next()) {
      assert.ok(those.next());
      for (const column of ['subject', 'predicate', 'object', 'graph'] as const) {
        assert.equal(those[column], these[column]);
        assert.equal(y.text(those[column]), x.text(these[column]));
        assert.equal(y.find(x.text(these[column])), these[column]);
      }
    }
    assert.equal(those.next(), false);
    assert.deepEqual(await imageOf(again), await imageOf(writer));
  });

  it('leaves out terms that are newer than the snapshot', async () => {
    const writer = filledWriter();
    const { termCount } = writer.descriptor.dictionary;
    writer.dictionary.internText('<newer>');
    const again = new SnapshotWriter(await read(await imageOf(writer)));
    assert.equal(again.dictionary.termCount, termCount);
    assert.equal(again.dictionary.findText('<newer>'), 0);
  });

  it('is read into memory with room for new terms, so that the first of them moves nothing', async () => {
    const again = new SnapshotWriter(await read(await imageOf(filledWriter())));
    const { arena, ends } = again.dictionary.descriptor();
    again.dictionary.internText('<newer>');
    const grown = again.dictionary.descriptor();
    assert.equal(grown.arena, arena);
    assert.equal(grown.ends, ends);
    assert.equal(again.dictionary.findText('<newer>'), grown.termCount);
  });

  it('of an empty store is an empty store', async () => {
    const again = new SnapshotWriter(await read(await imageOf(new SnapshotWriter())));
    assert.equal(again.reader().quadCount, 0);
  });

  it('is refused when it is cut short, too long, or something else', async () => {
    const image = await imageOf(filledWriter());
    const refused = { name: 'SnapshotError', code: 'data-damaged' };
    for (const cut of [0, 1, 63, 64, 65, 1000, image.length - 1]) {
      await assert.rejects(read(image.subarray(0, cut)), refused, `cut at ${cut}`);
      await assert.rejects(read(image.subarray(0, cut), 64, image.length), refused, `ends at ${cut}`);
    }
    await assert.rejects(read(Buffer.concat([image, Buffer.alloc(4)])), refused);
    await assert.rejects(read(Buffer.alloc(image.length, '<a> <b> <c> .\n')), refused);
    await assert.rejects(read(Buffer.alloc(image.length)), refused);
  });

  it('with damaged bytes is refused, or opens without fault for the caller to compare digests', async () => {
    const image = await imageOf(filledWriter());
    const damage = fc.array(fc.tuple(fc.nat(image.length - 1), fc.nat(255)), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(damage, async (bytes) => {
        const damaged = Buffer.from(image);
        for (const [at, value] of bytes) damaged[at] = value;
        try {
          const writer = new SnapshotWriter(await read(damaged));
          const cursor = writer.reader().allQuads();
          while (cursor.next()) writer.terms.text(cursor.object);
        } catch (error) {
          assert.ok(error instanceof SnapshotError, String(error));
        }
      }),
      { numRuns: 300 },
    );
  });
});
