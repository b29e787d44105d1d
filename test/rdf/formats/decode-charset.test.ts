import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { charsetName, decodeCharset } from '../../../src/rdf/formats/decode-charset.ts';
import { parseError, quads } from './documents.ts';

/**
 * The beginnings of the SHA-256 of the characters from 0x80 to 0xff in the indexes of the WHATWG
 * (https://encoding.spec.whatwg.org/indexes.json), as UTF-8, with U+FFFD for what is not valid.
 */
const indexes = [
  ['ibm866', '2e3f89d51df1d1b9'],
  ['iso-8859-2', 'da4d3b2f8f06435d'],
  ['iso-8859-3', 'c1d9ce25d3762a52'],
  ['iso-8859-4', '54140e6e75ba62ce'],
  ['iso-8859-5', '5372981566958051'],
  ['iso-8859-6', '2b716bc800e7bfe3'],
  ['iso-8859-7', '8d94b0308cf418c9'],
  ['iso-8859-8', 'ade2c0790e86ddc8'],
  ['iso-8859-8-i', 'ade2c0790e86ddc8'],
  ['iso-8859-10', '129e084c5bc4da60'],
  ['iso-8859-13', '20a9bcd406361c31'],
  ['iso-8859-14', '80050213abdb4257'],
  ['iso-8859-15', 'b9a4a2394ee58552'],
  ['iso-8859-16', 'c2bb18a77fe0cd90'],
  ['koi8-r', '25a9da95cf2db39e'],
  ['koi8-u', '79b0a6e96024f61a'],
  ['macintosh', '94dcdcc19412eb48'],
  ['windows-874', '4bb5efdc1a2832ec'],
  ['windows-1250', '52665a0c49e77322'],
  ['windows-1251', '153baf169d84e269'],
  ['windows-1252', '9ba654722668eee9'],
  ['windows-1253', 'fa630499b7db169e'],
  ['windows-1254', '612d01246f4b5106'],
  ['windows-1255', '16925d6a9d5cff62'],
  ['windows-1256', 'ae636a90722c9d75'],
  ['windows-1257', 'abd51531663d43f8'],
  ['windows-1258', 'ded84db6d51e3143'],
  ['x-mac-cyrillic', 'ab39a8a69bbbd008'],
] as const;

/** Returns the characters of some bytes, each decoded alone. */
function characters(name: string, bytes: readonly number[]): string {
  const each = bytes.map((byte) => decodeCharset(Uint8Array.of(byte), name));
  return each.map(({ text, isWhole }) => (isWhole ? text : '\ufffd')).join('');
}

const low = Array.from({ length: 0x80 }, (_, byte) => byte);
const high = low.map((byte) => byte + 0x80);

describe('charsets of one byte for each character (G-61)', () => {
  for (const [name, digest] of indexes) {
    it(`${name} is decoded as the index of the WHATWG says`, () => {
      assert.equal(charsetName(name.toUpperCase()), name);
      assert.equal(characters(name, low), String.fromCharCode(...low));
      const text = characters(name, high);
      assert.equal(createHash('sha256').update(text).digest('hex').slice(0, 16), digest, text);
    });
  }

  it('all labels of windows-1252 mean it', () => {
    const labels = 'ansi_x3.4-1968 ascii cp1252 cp819 csisolatin1 ibm819 iso-8859-1 iso-ir-100 iso8859-1';
    const more = 'iso88591 iso_8859-1 iso_8859-1:1987 l1 latin1 us-ascii windows-1252 x-cp1252';
    for (const label of `${labels} ${more}`.split(' ')) assert.equal(charsetName(label), 'windows-1252');
  });
});

describe('charsets of several bytes', () => {
  const texts: readonly (readonly [string, number[], string])[] = [
    ['gbk', [0xa2, 0xe3, 0xa6, 0xd9, 0x80], '€︐€'],
    ['gb18030', [0x95, 0x32, 0x82, 0x36, 0x41], '𠀀A'],
    ['shift_jis', [0x83, 0x5c, 0xb1], 'ソｱ'],
    ['euc-jp', [0xa5, 0xbd, 0x8e, 0xb1], 'ソｱ'],
    ['euc-kr', [0xb0, 0xa1, 0x41], '가A'],
    ['big5', [0xa4, 0x40, 0x41], '一A'],
    ['utf-16be', [0xfe, 0xff, 0xd8, 0x3d, 0xde, 0x00], '😀'],
  ];
  for (const [name, bytes, text] of texts) {
    it(`are decoded: ${name}`, () => {
      assert.deepEqual(decodeCharset(Uint8Array.from(bytes), name), { text, isWhole: true });
    });
  }

  const extensions: readonly (readonly [string, number[], string])[] = [
    ['euc-kr', [0x81, 0x41], '\uac02'],
    ['big5', [0x87, 0x40], '\u43f0'],
    ['big5', [0xf9, 0xfe], '\uffed'],
  ];
  for (const [name, bytes, text] of extensions) {
    it(`are rejected where the decoder lacks an extension of the WHATWG: ${name} ${bytes}`, () => {
      const decoded = decodeCharset(Uint8Array.from([0x41, ...bytes]), name);
      assert.equal(decoded.text, decoded.isWhole ? `A${text}` : 'A');
    });
  }
});

describe('bytes that cannot be decoded', () => {
  const long = `${'é'.repeat(70_000)}\n`;
  const documents: readonly (readonly [string, Buffer, number, number])[] = [
    ['windows-1253', Buffer.from('a\r\n\xe9\xaa', 'latin1'), 2, 2],
    ['utf-16le', Buffer.from(`${long}ab\ud800c`, 'utf16le'), 2, 3],
    ['utf-16be', Buffer.from(`${long}ab\ud800c`, 'utf16le').swap16(), 2, 3],
    ['utf-16le', Buffer.from([0x41]), 1, 1],
    ['gb18030', Buffer.from([0x41, 0x0a, 0xff]), 2, 1],
    ['euc-kr', Buffer.from([0x41, 0x0a, 0x42, 0x81, 0x41]), 2, 2],
    ['utf-8', Buffer.from('a\né\xff', 'latin1'), 2, 1],
  ];
  for (const [charset, body, line, column] of documents) {
    it(`have a position: ${charset}, line ${line}, column ${column}`, () => {
      const { code, details } = parseError(body, 'text/turtle', { charset });
      assert.deepEqual([code, details.line, details.column], ['parse-error', line, column]);
    });
  }
});

describe('a byte order mark', () => {
  const mark = '\ufeff';
  const bodies: readonly (readonly [string, string])[] = [
    ['text/turtle', '<urn:s> <urn:p> 1 .'],
    ['application/trig', '<urn:s> <urn:p> 1 .'],
    ['application/n-triples', '<urn:s> <urn:p> "1" .'],
    ['application/ld+json', '{"@id": "urn:s", "urn:p": 1}'],
    ['application/rdf+json', '{"urn:s": {"urn:p": [{"type": "uri", "value": "urn:o"}]}}'],
    ['application/rdf+xml', '<e:T xmlns:e="urn:e:"/>'],
  ];
  for (const [mediaType, body] of bodies) {
    it(`is dropped once: ${mediaType}`, () => {
      assert.equal(quads(mark + body, mediaType).length, 1);
      const { code, details } = parseError(mark + mark + body, mediaType);
      assert.deepEqual([code, details.line, details.column], ['parse-error', 1, 1]);
    });
  }

  it('is dropped once in UTF-16', () => {
    const charset = 'utf-16';
    const encoded = (text: string) => Buffer.from(text, 'utf16le');
    assert.equal(quads(encoded(`${mark}<urn:s> <urn:p> 1 .`), 'text/turtle', { charset }).length, 1);
    const { code } = parseError(encoded(`${mark}${mark}<urn:s> <urn:p> 1 .`), 'text/turtle', { charset });
    assert.equal(code, 'parse-error');
  });
});
