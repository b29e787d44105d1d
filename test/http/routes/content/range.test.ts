import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { requestedRange } from '../../../../src/http/routes/content/range.ts';
import { fakeRequest } from '../../fake-request.ts';

function range(header: string, bytes: number) {
  return requestedRange(fakeRequest('GET', '/', { headers: { Range: header } }), bytes, '"tag"', 0);
}

test('a range never exceeds the bytes', () => {
  const number = fc.option(fc.nat(50), { nil: undefined });
  fc.assert(
    fc.property(number, number, fc.integer({ min: 1, max: 40 }), (first, last, bytes) => {
      const found = range(`bytes=${first ?? ''}-${last ?? ''}`, bytes);
      if (found === undefined || found === 'bad-range') return;
      assert.ok(0 <= found.start && found.start < found.end && found.end <= bytes);
      if (first !== undefined) assert.equal(found.start, first);
      else assert.equal(found.end, bytes);
    }),
  );
});

test('any text is a valid, an unsatisfiable or an ignored range', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      range(text, 10);
      range(`bytes=${text}`, 10);
    }),
  );
});

test('R-63: numbers may be of any length', () => {
  for (const digits of [16, 20, 1000]) {
    const number = '9'.repeat(digits);
    assert.equal(range(`bytes=${number}-`, 10), 'bad-range');
    assert.equal(range(`bytes=${number}-${number}`, 10), 'bad-range');
    assert.deepEqual(range(`bytes=3-${number}`, 10), { start: 3, end: 10 });
    assert.deepEqual(range(`bytes=-${number}`, 10), { start: 0, end: 10 });
    assert.deepEqual(range(`bytes=${'0'.repeat(digits)}3-4`, 10), { start: 3, end: 5 });
  }
});
