import { TextDecoder } from 'node:util';

/** The characters of the bytes 0x80 to 0x9f; five of them are control characters. */
const windows1252 =
  '\u20ac\x81\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\x8d\u017d\x8f' +
  '\x90\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\x9d\u017e\u0178';

/**
 * Decodes a text by the WHATWG's label of its charset. Throws `RangeError` for an unknown label,
 * and `TypeError` for bytes that are not valid.
 */
export function decodeCharset(bytes: Uint8Array, label: string): string {
  const decoder = new TextDecoder(label, { fatal: true });
  return decoder.encoding === 'windows-1252' ? decodeWindows1252(bytes) : decoder.decode(bytes);
}

/** `TextDecoder` of Node.js 20 decodes these bytes as ISO 8859-1 has them. */
function decodeWindows1252(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
  return text.replace(/[\x80-\x9f]/g, (character) => windows1252[character.charCodeAt(0) - 0x80]!);
}
