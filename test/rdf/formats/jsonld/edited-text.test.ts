import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { EditedText } from '../../../../src/rdf/formats/jsonld/edited-text.ts';
import { ending } from '../../../support/ending.ts';

const piece = fc.record({ kept: fc.nat(3), removed: fc.integer({ min: 1, max: 4 }), added: fc.nat(4) });
type Piece = typeof piece extends fc.Arbitrary<infer T> ? T : never;

/** Pieces as edits, and the offset in the original of each byte that is kept, by its new offset. */
function layout(pieces: readonly Piece[]) {
  const kept = new Map<number, number>();
  let [from, to] = [0, 0];
  const edits = pieces.map((each) => {
    for (let i = 0; i < each.kept; i++) kept.set(to++, from++);
    const start = from;
    from += each.removed;
    to += each.added;
    return { start, end: from, replacement: Buffer.alloc(each.added, '+') };
  });
  return { edits, kept, length: from };
}

describe('an edited text', () => {
  it('knows where in the original each byte that is kept comes from', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const { edits, kept, length } = layout(pieces);
        const text = new EditedText(Buffer.alloc(length, '-'), edits);
        for (const [offset, original] of kept) assert.equal(text.originalOffset(offset), original);
      }),
    );
  });

  it('places what is new in the range that it replaces', () => {
    const text = new EditedText(Buffer.from('abcdef'), [
      { start: 2, end: 4, replacement: Buffer.from('123') },
    ]);
    const offsets = [0, 1, 2, 3, 4, 5, 6, 7].map((offset) => text.originalOffset(offset));
    assert.deepEqual(offsets, [0, 1, 2, 2, 3, 4, 5, 6]);
    assert.equal(Buffer.from(text.bytes).toString(), 'ab123ef');
  });

  it('finds offsets quickly among many edits', () => {
    const edits = Array.from({ length: 200_000 }, (_, i) => ({
      start: 2 * i,
      end: 2 * i + 1,
      replacement: Buffer.from('++'),
    }));
    const text = new EditedText(Buffer.alloc(400_000), edits);
    ending(() => {
      for (let i = 0; i < 200_000; i++) assert.equal(text.originalOffset(3 * i + 2), 2 * i + 1);
    });
  });
});
