import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse, write } from '../documents.ts';

const NQ = 'application/n-quads';

test('a term that occurs at several positions is written at each of them', () => {
  const names = ['<urn:a>', '<urn:b>', '<urn:c>'];
  const rows = names.flatMap((s) =>
    names.flatMap((p) => names.flatMap((o) => names.map((g) => `${s} ${p} ${o} ${g} .`))),
  );
  // Neighbouring rows differ in every combination of positions: a row may begin like the previous
  // one, and end with its predicate.
  for (let shift = 0; shift < 5; shift++) {
    const text = rows.filter((_, i) => i % 5 !== shift).join('\n');
    assert.equal(write(parse(text, NQ), NQ, undefined, false), `${text}\n`);
  }
});
