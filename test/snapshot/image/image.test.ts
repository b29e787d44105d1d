import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { SnapshotError } from '../../../src/snapshot/errors.ts';
import { openSnapshot } from '../../../src/snapshot/read/reader.ts';
import { compact } from '../../../src/snapshot/runs/compact.ts';
import { planEdit, planMerge } from '../../../src/snapshot/write/change-plan.ts';
import { SnapshotWriter } from '../../../src/snapshot/write/snapshot-writer.ts';
import { blockOf } from '../blocks.ts';
import { imageOf, readImage, throughImage } from '../images.ts';

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

/** With terms that are newer than the snapshot, in its table too. */
function growingWriter(): SnapshotWriter {
  const writer = filledWriter();
  for (let i = 0; i < 100; i++) writer.dictionary.internText(`<newer${i}>`);
  return writer;
}

describe('An image', () => {
  for (const [name, tableFromTerms] of [
    ['with its hash table', 0],
    ['without one', 1e9],
  ] as const) {
    it(`restores the same quads with the same ids, ${name}`, () => {
      const writer = filledWriter();
      const image = imageOf(writer.descriptor, tableFromTerms);
      const again = new SnapshotWriter(readImage(image));
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
      assert.ok(imageOf(again.descriptor, tableFromTerms).equals(image));
    });
  }

  it('is the same whether the runs of a snapshot are merged while it is written, or were before', () => {
    const writer = filledWriter();
    const { descriptor } = writer;
    assert.ok(descriptor.deltas.length > 0 || descriptor.logCount > 0);
    const merged = { ...descriptor, base: compact(descriptor), deltas: [], logCount: 0 };
    assert.ok(imageOf(descriptor).equals(imageOf(merged)));
  });

  for (const tableFromTerms of [0, 1e9]) {
    it(`leaves out terms that are newer than the snapshot, also of a table (from ${tableFromTerms} terms)`, () => {
      const writer = growingWriter();
      const { termCount } = writer.descriptor.dictionary;
      const again = new SnapshotWriter(readImage(imageOf(writer.descriptor, tableFromTerms)));
      assert.equal(again.dictionary.termCount, termCount);
      for (let i = 0; i < 100; i++) assert.equal(again.dictionary.findText(`<newer${i}>`), 0);
      for (let id = 1; id <= termCount; id++) {
        assert.equal(again.dictionary.findText(again.terms.text(id)), id);
      }
    });
  }

  it('with a table can grow', () => {
    const again = new SnapshotWriter(throughImage(growingWriter().descriptor));
    const ids = Array.from({ length: 5000 }, (_, i) => again.dictionary.internText(`<later${i}>`));
    for (const [i, id] of ids.entries()) assert.equal(again.dictionary.findText(`<later${i}>`), id);
  });

  it('counts the terms that its quads use, merged or not', () => {
    const writer = filledWriter();
    const { termCount } = writer.descriptor.dictionary;
    const triple = { subject: '<s0>', predicate: '<p0>', object: '"0"' };
    writer.apply(planEdit(writer, 'g', { additions: blockOf([]), removals: blockOf([triple]) }, ''));
    writer.publish(2 ** 40 + 8);
    assert.equal(throughImage(writer.descriptor).usedTerms, termCount - 1);
    const merged = { ...writer.descriptor, base: compact(writer.descriptor), deltas: [], logCount: 0 };
    assert.equal(throughImage(merged).usedTerms, termCount - 1);
  });

  it('is read into memory with room for new terms, so that the first of them moves nothing', () => {
    const again = new SnapshotWriter(throughImage(filledWriter().descriptor));
    const { arena, ends } = again.dictionary.descriptor();
    again.dictionary.internText('<newer>');
    const grown = again.dictionary.descriptor();
    assert.equal(grown.arena, arena);
    assert.equal(grown.ends, ends);
    assert.equal(again.dictionary.findText('<newer>'), grown.termCount);
  });

  it('of an empty store is an empty store', () => {
    const again = new SnapshotWriter(throughImage(new SnapshotWriter().descriptor));
    assert.equal(again.reader().quadCount, 0);
  });

  it('is rejected if it is too short, too long, or not an image', () => {
    const image = imageOf(filledWriter().descriptor);
    const refused = { name: 'SnapshotError', code: 'data-damaged' };
    for (const cut of [0, 1, 63, 64, 65, 1000, image.length - 1]) {
      assert.throws(() => readImage(image.subarray(0, cut)), refused, `cut at ${cut}`);
    }
    assert.throws(() => readImage(Buffer.concat([image, Buffer.alloc(4)])), refused);
    assert.throws(() => readImage(Buffer.alloc(image.length, '<a> <b> <c> .\n')), refused);
    assert.throws(() => readImage(Buffer.alloc(image.length)), refused);
  });

  it('with damaged bytes is rejected, or opens without an error so that the caller can compare digests', () => {
    const image = imageOf(filledWriter().descriptor, 0);
    const damage = fc.array(fc.tuple(fc.nat(image.length - 1), fc.nat(255)), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(damage, (bytes) => {
        const damaged = Buffer.from(image);
        for (const [at, value] of bytes) damaged[at] = value;
        try {
          const writer = new SnapshotWriter(readImage(damaged));
          const cursor = writer.reader().allQuads();
          while (cursor.next()) writer.terms.find(writer.terms.text(cursor.object));
        } catch (error) {
          assert.ok(error instanceof SnapshotError, String(error));
        }
      }),
      { numRuns: 300 },
    );
  });
});
