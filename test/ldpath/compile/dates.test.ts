import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { instant, parseDateTime, parseTime } from '../../../src/ldpath/compile/dates.ts';

const at = (text: string) => instant(parseDateTime(text)!);

describe('date parser', () => {
  it('returns the same instants as Date', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date(0, 0, 1), noInvalidDate: true, max: new Date(9999, 0, 1) }),
        (date) => {
          assert.equal(at(date.toISOString()), date.getTime());
        },
      ),
    );
  });

  it('accepts time zones, fractions of a second, 24:00:00 and negative years', () => {
    assert.equal(at('1970-01-01T02:00:00+02:00'), 0);
    assert.equal(at('1970-01-01'), 0);
    assert.equal(at('1970-01-01T24:00:00Z'), 86_400_000);
    assert.equal(at('1970-01-01T00:00:00.0005Z'), 0.5);
    assert.ok(at('-0044-03-15') < at('0001-01-01'));
  });

  it('accepts the date formats of Java and of German texts (ldpath 4)', () => {
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

  it('rejects malformed texts', () => {
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

  it('rejects a month, day, hour, minute, second or zone that is out of range', () => {
    for (const [last, beyond] of [
      ['2013-12-01', '2013-13-01'],
      ['2013-01-01', '2013-00-01'],
      ['2013-01-01', '2013-01-00'],
      ['2013-01-31', '2013-01-32'],
      ['2013-04-30', '2013-04-31'],
      ['2013-06-30', '2013-06-31'],
      ['2013-09-30', '2013-09-31'],
      ['2013-11-30', '2013-11-31'],
      ['2013-02-28', '2013-02-29'],
      ['2012-02-29', '2012-02-30'],
      ['2000-02-29', '1900-02-29'],
      ['2013-01-01T23:59:59Z', '2013-01-01T25:00:00Z'],
      ['2013-01-01T24:00:00Z', '2013-01-01T24:01:00Z'],
      ['2013-01-01T24:00:00.0Z', '2013-01-01T24:00:01Z'],
      ['2013-01-01T23:59:00Z', '2013-01-01T24:00:00.1Z'],
      ['2013-01-01T23:59:00Z', '2013-01-01T23:60:00Z'],
      ['2013-01-01T23:59:59Z', '2013-01-01T23:59:60Z'],
      ['2013-01-01+14:00', '2013-01-01+14:01'],
      ['2013-01-01-14:00', '2013-01-01-14:01'],
      ['01.12.2013 00:00', '01.13.2013 00:00'],
      ['Sun Dec 01 05:06:07 2013', 'Sun Foo 01 05:06:07 2013'],
    ] as const) {
      assert.notEqual(parseDateTime(last), null, last);
      assert.equal(parseDateTime(beyond), null, beyond);
    }
  });
});

describe('time parser', () => {
  it('keeps the fraction and the zone of the text', () => {
    const time = { hour: 1, minute: 2, second: 3 };
    assert.deepEqual(parseTime('01:02:03'), { time: { ...time, fraction: '' }, zone: '' });
    assert.deepEqual(parseTime(' 01:02:03.50Z '), { time: { ...time, fraction: '.50' }, zone: 'Z' });
    assert.deepEqual(parseTime('01:02:03-0130'), { time: { ...time, fraction: '' }, zone: '-01:30' });
  });

  it('rejects an hour, minute, second or zone that is out of range', () => {
    for (const [last, beyond] of [
      ['24:00:00', '25:00:00'],
      ['24:00:00.00', '24:00:00.01'],
      ['23:59:00', '24:01:00'],
      ['12:59:00', '12:60:00'],
      ['12:00:59', '12:00:60'],
      ['12:00:00+14:00', '12:00:00+14:01'],
      ['12:00:00', '12:00'],
    ] as const) {
      assert.notEqual(parseTime(last), null, last);
      assert.equal(parseTime(beyond), null, beyond);
    }
  });
});
