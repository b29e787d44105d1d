import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse, write } from '../documents.ts';

const NQ = 'application/n-quads';

test('names that stand in several places of rows are written where they stand', () => {
  const names = ['<urn:a>', '<urn:b>', '<urn:c>'];
  const rows = names.flatMap((s) =>
    names.flatMap((p) => names.flatMap((o) => names.map((g) => `${s} ${p} ${o} ${g} .`))),
  );
  // All orders of neighbours occur: a row may begin like the previous one, and end with its
  // predicate.
  for (let shift = 0; shift < 5; shift++) {
    const text = rows.filter((_, i) => i % 5 !== shift).join('\n');
    assert.equal(write(parse(text, NQ), NQ, undefined, false), `${text}\n`);
  }
});
