import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  deeperThan,
  endOfPlainString,
  endOfString,
  endOfValue,
  parseSlice,
  skipSpace,
} from '../../../src/base/json/bytes.ts';

const space = fc.constantFrom('', ' ', '\n', '\r', '\t', ' \r\n\t ');

describe('JSON in bytes', () => {
  it('ends a value, with the white space after it, before a comma or the end of a list', () => {
    fc.assert(
      fc.property(fc.jsonValue(), space, fc.constantFrom(',', ']', '}', ''), (value, after, next) => {
        const text = JSON.stringify(value) + after;
        assert.equal(endOfValue(Buffer.from(text + next), 0), Buffer.byteLength(text));
      }),
    );
  });

  it('ends a string at its closing quote, or with the document', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (value) => {
        const text = Buffer.from(JSON.stringify(value));
        const document = Buffer.concat([text, Buffer.from('"tail')]);
        assert.equal(endOfString(document, 0), text.length);
        assert.deepEqual(parseSlice(document, 0, text.length), JSON.parse(text.toString()));
        assert.equal(endOfString(text.subarray(0, -1), 0), text.length - 1);
      }),
    );
  });

  it('recognises strings that are their own text', () => {
    assert.equal(endOfPlainString(Buffer.from('"urn:x:a",'), 0), 9);
    for (const text of ['urn', '"open', '"a\\n"', '"ä"', '"a\tb"', '"a\u007fb"']) {
      assert.equal(endOfPlainString(Buffer.from(text), 0), 0, text);
    }
  });

  it('skips only the white space of JSON', () => {
    assert.equal(skipSpace(Buffer.from(' \r\n\t\u0001'), 0), 4);
    assert.equal(skipSpace(Buffer.from('  '), 0), 2);
  });

  it('finds where a document is nested too deeply, outside of strings', () => {
    assert.equal(deeperThan(2, Buffer.from('[{"a":"[[["}, [[1]]]')), 15);
    assert.equal(deeperThan(3, Buffer.from('[{"a":"[[["}, [[1]]]')), -1);
    assert.equal(deeperThan(256, Buffer.from('['.repeat(10_000_000))), 256);
  });

  it('reads ten million levels', () => {
    assert.equal(endOfValue(Buffer.from('['.repeat(10_000_000)), 0), 10_000_000);
  });
});
