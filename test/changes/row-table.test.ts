import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { ChangedRows } from '../../src/changes/messages.ts';
import { TextRows } from '../../src/changes/thread/row-cursor.ts';
import { type RowLimits, RowTable } from '../../src/changes/thread/row-table.ts';
import { ID_MASK, REMOVED } from '../../src/snapshot/runs/order.ts';

/** A letter for the change, then the name of the object: `A1` adds the quad of `1`. */
type Change = string;

function folded(changes: readonly Change[], limits: RowLimits): ChangedRows | 'too-many' {
  const table = new RowTable(limits);
  const lines = changes.map((change) => `${change[0]} <urn:s> <urn:p> "${change.slice(1)}" <urn:g> .\n`);
  const rows = new TextRows(Buffer.from(lines.join('')));
  while (rows.next()) if (!table.add(rows)) return 'too-many';
  return table.finish();
}

function changesIn({ bytes, offsets, rows }: ChangedRows): Change[] {
  const found: Change[] = [];
  const text = (term: number) => Buffer.from(bytes.slice(offsets[term], offsets[term + 1])).toString();
  for (let i = 0; i < rows.length; i += 4) {
    assert.equal(text(rows[i + 3]! & ID_MASK), '<urn:g>');
    found.push(`${rows[i + 3]! >= REMOVED ? 'D' : 'A'}${text(rows[i + 2]!).slice(1, -1)}`);
  }
  return found;
}

function ofAll(changes: readonly Change[], limits: RowLimits): Change[] {
  const rows = folded(changes, limits);
  assert.ok(rows !== 'too-many');
  return changesIn(rows);
}

/** A value that is replaced again and again. */
const counter = (last: number) => Array.from({ length: last }, (_, i) => [`D${i}`, `A${i + 1}`]).flat();

describe('the changes of several commits', () => {
  it('are what is there before or afterwards', () => {
    assert.deepEqual(ofAll(['A1', 'D2', 'A3', 'D1', 'A2', 'D3', 'A1'], { quads: 9 }), ['A1', 'D2', 'A2']);
  });

  it('are few for a value that is replaced often, with few terms', () => {
    const rows = folded(counter(100_000), { quads: 2, termBytes: 100 });
    assert.ok(rows !== 'too-many');
    assert.deepEqual(changesIn(rows), ['D0', 'A100000']);
    assert.equal(Buffer.from(rows.bytes).toString(), '<urn:s><urn:p>"0"<urn:g>"100000"');
  });

  it('are too many beyond the limit of quads, of terms, or of rows that are read', () => {
    const many = Array.from({ length: 10 }, (_, i) => `A${i}`);
    assert.equal(ofAll(many, { quads: 10 }).length, 10);
    assert.equal(folded(many, { quads: 9 }), 'too-many');
    assert.equal(folded(many, { quads: 10, termBytes: 50 }), 'too-many');
    assert.equal(folded(counter(10), { quads: 10, read: 20 }) === 'too-many', false);
    assert.equal(folded(counter(10), { quads: 10, read: 19 }), 'too-many');
  });

  it('are the same however often what has no effect is dropped', () => {
    const toggles = fc.array(fc.nat({ max: 12 }), { maxLength: 60 });
    fc.assert(
      fc.property(toggles, fc.integer({ min: 1, max: 13 }), (places, quads) => {
        const there = new Set(['0', '1', '2', '3']);
        const first = new Set(there);
        const changes = places.map((place) => {
          const name = String(place);
          if (there.delete(name)) return `D${name}`;
          there.add(name);
          return `A${name}`;
        });
        const [all, some] = [folded(changes, { quads: 100 }), folded(changes, { quads })];
        assert.ok(all !== 'too-many');
        const state = new Set(first);
        for (const change of changesIn(all)) {
          if (change.startsWith('D')) assert.ok(state.delete(change.slice(1)));
          else state.add(change.slice(1));
        }
        assert.deepEqual([...state].sort(), [...there].sort());
        if (some !== 'too-many') assert.deepEqual(changesIn(some).sort(), changesIn(all).sort());
      }),
    );
  });
});
