import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fault } from './documents.ts';

test('an unknown charset is repeated as far as 40 characters', () => {
  const { code, message } = fault('', 'text/turtle', { charset: 'x'.repeat(50) });
  assert.equal(code, 'unsupported-media-type');
  assert.equal(message, `Unknown charset: "${'x'.repeat(40)}"`);
});

test('bytes that are no text of their charset are refused', () => {
  const { code, message } = fault(Buffer.from([0x00, 0xd8]), 'text/turtle', { charset: 'utf-16' });
  assert.equal(code, 'parse-error');
  assert.match(message, /not valid utf-16le/);
});
