import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { instant, parseDateTime } from '../../src/ldpath/dates.ts';

const at = (text: string) => instant(parseDateTime(text)!);

describe('dates', () => {
  it('are the instants that the platform knows', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date(0, 0, 1), noInvalidDate: true, max: new Date(9999, 0, 1) }),
        (date) => {
          assert.equal(at(date.toISOString()), date.getTime());
        },
      ),
    );
  });

  it('know zones, fractions, midnight at the end of a day, and years before Christ', () => {
    assert.equal(at('1970-01-01T02:00:00+02:00'), 0);
    assert.equal(at('1970-01-01'), 0);
    assert.equal(at('1970-01-01T24:00:00Z'), 86_400_000);
    assert.equal(at('1970-01-01T00:00:00.0005Z'), 0.5);
    assert.ok(at('-0044-03-15') < at('0001-01-01'));
  });

  it('may be written as Java and Germans do (ldpath 4)', () => {
    const instants = [
      'Sun Mar 4 05:06:07 UTC 2012',
      'Sun Mar 04 05:06:07 GMT 2012',
      'Sun Mar 04 06:06:07 CET 2012',
      'Sun Mar 4 00:06:07 EST 2012',
      'Sun Mar 4 07:06:07 GMT+02:00 2012',
      'Sun Mar 4 07:06:07 +0200 2012',
      '4.3.2012 5:06:07',
      '04.03.2012 05:06:07',
      '2012-03-04 05:06:07',
      '2012-03-04T06:06:07+0100',
    ].map(at);
    assert.deepEqual(new Set(instants), new Set([Date.UTC(2012, 2, 4, 5, 6, 7)]));
    assert.equal(at('4.3.2012 05:06'), Date.UTC(2012, 2, 4, 5, 6));
    assert.equal(parseDateTime('Sun Mar 4 05:06:07 XYZ 2012'), null);
  });

  it('are none of these texts', () => {
    for (const text of [
      '2013',
      '2013-13-01',
      '2013-02-29',
      '2013-01-01T00:00',
      '2013-01-01T00:00:60Z',
      '2013-01-01+15:00',
    ]) {
      assert.equal(parseDateTime(text), null, text);
    }
  });
});
