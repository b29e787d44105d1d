import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseError, quads } from './documents.ts';

test('the error for an unknown charset quotes at most 40 characters of it', () => {
  const { code, message } = parseError('', 'text/turtle', { charset: 'x'.repeat(50) });
  assert.equal(code, 'unsupported-media-type');
  assert.equal(message, `Unknown charset: "${'x'.repeat(40)}"`);
});

test('bytes that are invalid in their charset are rejected', () => {
  const { code, message } = parseError(Buffer.from([0x00, 0xd8]), 'text/turtle', { charset: 'utf-16' });
  assert.equal(code, 'parse-error');
  assert.match(message, /can't be decoded as utf-16le/);
});

test('windows-1252 and its WHATWG aliases decode the bytes from 0x80 on', () => {
  const body = Buffer.from('<urn:s> <urn:p> "\x93q\x94 \x80 5 \xe9\x81" .', 'latin1');
  for (const charset of ['windows-1252', 'ISO-8859-1', 'latin1', 'us-ascii']) {
    assert.deepEqual(quads(body, 'text/turtle', { charset }), ['<urn:s> <urn:p> "“q” € 5 é\x81" .']);
  }
  const declared = Buffer.concat([
    Buffer.from('<?xml version="1.0" encoding="windows-1252"?>'),
    Buffer.from('<e:T xmlns:e="urn:e:" e:p="\x80"/>', 'latin1'),
  ]);
  assert.equal(quads(declared, 'application/rdf+xml')[1], '_:0 <urn:e:p> "€" .');
});
