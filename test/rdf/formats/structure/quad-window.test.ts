import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { QuadWindow } from '../../../../src/rdf/formats/structure/quad-window.ts';
import type { QuadCursor } from '../../../../src/rdf/model/quad-cursor.ts';
import { QUAD_WORDS } from '../../../../src/rdf/model/quad-rows.ts';
import { RowQuads } from '../../../../src/rdf/model/row-quads.ts';

const terms = { bytes: new Uint8Array(0), ends: new Uint32Array(1), start: () => 0, end: () => 0 };

/** Returns a cursor whose quads are 1, 1, 1, 1; 2, 2, 2, 2; and so on. */
function counting(count: number, atOnce?: number): QuadCursor {
  const rows = Uint32Array.from({ length: count * QUAD_WORDS }, (_, i) => Math.floor(i / QUAD_WORDS) + 1);
  const cursor = new RowQuads(terms, rows);
  if (atOnce === undefined) return cursor;
  let at = 0;
  const read = (words: Uint32Array) => {
    const part = rows.subarray(at, at + Math.min(words.length, atOnce * QUAD_WORDS));
    words.set(part);
    at += part.length;
    return part.length;
  };
  return Object.assign(cursor, { read });
}

describe('a window of quads', () => {
  for (const count of [0, 1, 511, 512, 513, 1024, 5000]) {
    it(`moves over ${count} quads, and shows the next one beside the current one`, () => {
      for (const cursor of [counting(count), counting(count, 7), counting(count, 10_000)]) {
        const window = new QuadWindow(cursor);
        let seen = 0;
        while (window.next()) {
          seen++;
          assert.equal(window.words[window.at], seen);
          assert.equal(window.at + QUAD_WORDS < window.end, seen < count);
        }
        assert.equal(seen, count);
      }
    });
  }

  it('contains all quads if there are fewer than wanted', () => {
    assert.equal(new QuadWindow(counting(2047), 2048).isWhole, true);
    assert.equal(new QuadWindow(counting(2048), 2048).isWhole, false);
    assert.equal(new QuadWindow(counting(2047, 5), 2048).end, 2047 * QUAD_WORDS);
  });
});
