import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { packStarts, startCount, startText } from '../../../src/pool/batch/start-pack.ts';

const start = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.webUrl(),
  fc.string().map((label) => `_:${label}`),
);

test('unpacking returns the start resources that were packed, in canonical form', () => {
  fc.assert(
    fc.property(fc.array(start), (starts) => {
      const pack = packStarts(starts);
      assert.equal(startCount(pack), starts.length);
      for (const [i, one] of starts.entries()) {
        assert.equal(startText(pack, i), one);
        const form = Buffer.from(pack.bytes.subarray(pack.bounds[2 * i], pack.bounds[2 * i + 1])).toString();
        assert.equal(form, one.startsWith('_:') ? one : `<${one}>`);
      }
    }),
  );
});

test('an IRI with a lone surrogate is invalid, and is not changed into another IRI', () => {
  const pack = packStarts(['urn:a', 'urn:\ud800', 'urn:b']);
  assert.deepEqual(
    [0, 1, 2].map((i) => startText(pack, i)),
    ['urn:a', '', 'urn:b'],
  );
});
