import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeText } from '../../../../src/http/routes/ldpath/body-text.ts';

test('a text is decoded in its charset, which is UTF-8 by default', () => {
  const bytes = Buffer.from('\u00e9');
  assert.deepEqual(decodeText(bytes), { ok: true, value: '\u00e9' });
  assert.deepEqual(decodeText(bytes, 'latin1'), { ok: true, value: '\u00c3\u00a9' });
  assert.deepEqual(decodeText(Uint8Array.of(0x80), 'windows-1252'), { ok: true, value: '€' });
});

test('the line and column of an invalid byte are reported for every charset', () => {
  const bytes = Buffer.from([0x61, 0x0a, 0x62, 0xff]);
  const utf8 = decodeText(bytes);
  assert.ok(!utf8.ok);
  assert.equal(utf8.error.message, 'The body is not valid utf-8.');
  assert.deepEqual(utf8.error.details, { line: 2, column: 2, source: 'body' });
  const euc = decodeText(bytes, 'euc-jp');
  assert.ok(!euc.ok);
  assert.equal(euc.error.message, 'The body is not valid euc-jp.');
  assert.deepEqual(euc.error.details, { line: 2, column: 2, source: 'body' });
});
