import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { packStarts, startCount, startText } from '../../../src/pool/batch/start-pack.ts';

const start = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.webUrl(),
  fc.string().map((label) => `_:${label}`),
);

test('starts are unpacked as they were packed, and lie there in their canonical form', () => {
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

test('an IRI with half a character is invalid, and is not turned into another one', () => {
  const pack = packStarts(['urn:a', 'urn:\ud800', 'urn:b']);
  assert.deepEqual(
    [0, 1, 2].map((i) => startText(pack, i)),
    ['urn:a', '', 'urn:b'],
  );
});
