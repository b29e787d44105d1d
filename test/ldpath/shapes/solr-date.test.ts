import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DATE, INSTANT } from '../../../src/ldpath/shapes/datatypes.ts';
import { instantOf } from '../../../src/ldpath/shapes/solr-date.ts';

test('P-54: an instant has years before 0000 and after 9999, with a sign', () => {
  assert.equal(instantOf('-0044-03-15', DATE), '-0044-03-15T00:00:00Z');
  assert.equal(instantOf('-12345-03-15', DATE), '-12345-03-15T00:00:00Z');
  assert.equal(instantOf('-0044-03-15T12:00:00+01:00', INSTANT), '-0044-03-15T11:00:00Z');
  assert.equal(instantOf('0000-02-29', DATE), '0000-02-29T00:00:00Z');
  assert.equal(instantOf('12345-01-01T00:00:00.5', INSTANT), '+12345-01-01T00:00:00.500Z');
  assert.equal(instantOf('9999-12-31T23:59:59-14:00', INSTANT), '+10000-01-01T13:59:59Z');
  assert.equal(instantOf('0000-01-01T00:00:00+14:00', INSTANT), '-0001-12-31T10:00:00Z');
});

test('P-54: midnight at the end of a day is that of the next day', () => {
  assert.equal(instantOf('2012-02-29T24:00:00Z', INSTANT), '2012-03-01T00:00:00Z');
});

test('P-54: there is no instant for what is no date', () => {
  for (const text of ['2011-02-29', '2012-13-01', '02012-01-01', '+2012-01-01', '999999-01-01', '2012-01']) {
    assert.equal(instantOf(text, DATE), undefined, text);
  }
  for (const text of ['2012-03-04T05:06:60Z', '2012-03-04T05:06Z', '2012-03-04T05:06:07+15', '2012-03-04']) {
    assert.equal(instantOf(text, INSTANT), undefined, text);
  }
});
