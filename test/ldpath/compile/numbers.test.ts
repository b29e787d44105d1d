import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  compareNumbers,
  formatDouble,
  formatFloat,
  parseDouble,
  parseNumber,
} from '../../../src/ldpath/compile/numbers.ts';

const compare = (a: string, b: string) => compareNumbers(parseNumber(a)!, parseNumber(b)!);

describe('numbers', () => {
  it('compare exactly if both are integers or decimals, and as doubles otherwise', () => {
    assert.equal(compare('9007199254740993', '9007199254740992'), 1);
    assert.equal(compare('1.10', '1.1'), 0);
    assert.equal(compare(' +5 ', '5.0'), 0);
    assert.equal(compare('-0.5', '.5'), -1);
    assert.equal(compare('1e3', '1000'), 0);
    assert.equal(compare('INF', '1e308'), 1);
    assert.ok(Number.isNaN(compare('NaN', 'NaN')));
  });

  it('are not read from malformed texts', () => {
    for (const text of ['', ' ', '.', '+', '1,5', '0x10', '1e', 'inf', '1 2', '١']) {
      assert.equal(parseNumber(text), null, text);
    }
  });

  it('become doubles if they have very many digits, since exact arithmetic takes superlinear time', () => {
    const digits = '9'.repeat(500_000);
    assert.deepEqual(parseNumber(digits), { exact: false, value: Number.POSITIVE_INFINITY });
  });

  it('equal the number that their canonical form denotes', () => {
    assert.deepEqual([42, 0.001, 1e21, -0, 0].map(formatDouble), [
      '4.2E1',
      '1.0E-3',
      '1.0E21',
      '-0.0E0',
      '0.0E0',
    ]);
    fc.assert(fc.property(fc.double(), (value) => assert.equal(parseDouble(formatDouble(value)), value)));
    fc.assert(
      fc.property(fc.float(), (value) => assert.equal(parseDouble(formatFloat(value)) === null, false)),
    );
    fc.assert(
      fc.property(fc.float(), (value) => assert.equal(Math.fround(parseDouble(formatFloat(value))!), value)),
    );
    assert.equal(formatFloat(0.1), '1.0E-1');
  });
});
