import { TextDecoder } from 'node:util';

/** Bytes from an offset on, and their characters; U+FFFD for those that are not valid. */
type Correction = readonly [first: number, characters: string];

/**
 * Single-byte charsets that `TextDecoder` does not decode as the WHATWG's indexes say: of Node.js
 * 20, all of them. The tests compare all bytes of all charsets.
 */
const corrections: Readonly<Record<string, readonly Correction[]>> = {
  ibm866: [],
  'iso-8859-16': [
    [
      0xa0,
      '\xa0ĄąŁ€„Š§š©Ș«Ź\xadźŻ°±ČłŽ”¶·žčș»ŒœŸżÀÁÂĂÄĆÆÇÈÉÊËÌÍÎÏĐŃÒÓÔŐÖŚŰÙÚÛÜĘȚßàáâăäćæçèéêëìíîïđńòóôőöśűùúûüęțÿ',
    ],
  ],
  'koi8-u': [
    [0xae, 'ў'],
    [0xbe, 'Ў'],
  ],
  'windows-1252': [[0x80, '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ']],
  'windows-1253': [[0xaa, '\ufffd']],
  'windows-1255': [[0xca, '\u05ba']],
  'windows-874': [
    [0xdb, '\ufffd'.repeat(4)],
    [0xfc, '\ufffd'.repeat(4)],
  ],
};

/** Charsets that `TextDecoder` of Node.js 20 does not know at all. */
const unknown: ReadonlySet<string> = new Set(['iso-8859-16']);

/** The charset whose decoder the WHATWG uses for another one. */
const decoders: Readonly<Record<string, string>> = { gbk: 'gb18030' };

/**
 * What `TextDecoder` returns for bytes that are not valid, and for extensions of the WHATWG that it
 * does not know. These charsets have no such characters.
 */
const faults: Readonly<Record<string, RegExp>> = {
  big5: /[\x80-\x9f\u2593\ue000-\uf8ff]/,
  'euc-jp': /[\x80-\x9f]/,
  'euc-kr': /[\x80-\x9f]/,
};

export interface DecodedText {
  readonly text: string;
  /** False if the text ends before bytes that can't be decoded. */
  readonly isWhole: boolean;
}

/** Returns the WHATWG's name of a charset. Throws `RangeError` for an unknown label. */
export function charsetName(label: string): string {
  const name = label.trim().toLowerCase();
  return unknown.has(name) ? name : new TextDecoder(label).encoding;
}

/** Decodes a text by the name of its charset, without a byte order mark. */
export function decodeCharset(bytes: Uint8Array, name: string): DecodedText {
  const isCorrected = Object.hasOwn(corrections, name);
  const decoded = isCorrected ? decodeBytes(bytes, tableOf(name)) : decode(bytes, decoders[name] ?? name);
  const pattern = isCorrected ? /\ufffd/ : faults[name];
  const fault = pattern ? decoded.text.search(pattern) : -1;
  return fault < 0 ? decoded : { text: decoded.text.slice(0, fault), isWhole: false };
}

/** The characters of all bytes, and the bytes that ISO 8859-1 decodes otherwise. */
interface Table {
  readonly characters: readonly string[];
  readonly different: RegExp;
}

const tables = new Map<string, Table>();

function tableOf(name: string): Table {
  const known = tables.get(name);
  if (known) return known;
  const characters = Array.from({ length: 256 }, (_, byte) => String.fromCharCode(byte));
  if (!unknown.has(name)) {
    const decoder = new TextDecoder(name);
    for (let byte = 0x80; byte < 0x100; byte++) characters[byte] = decoder.decode(Uint8Array.of(byte));
  }
  for (const [first, corrected] of corrections[name] ?? []) {
    for (const [index, character] of [...corrected].entries()) characters[first + index] = character;
  }
  const different = characters.flatMap((character, byte) =>
    character === String.fromCharCode(byte) ? [] : `\\x${byte.toString(16)}`,
  );
  const table = { characters, different: new RegExp(`[${different.join('')}]`, 'g') };
  tables.set(name, table);
  return table;
}

function decodeBytes(bytes: Uint8Array, { characters, different }: Table): DecodedText {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
  return { text: text.replace(different, (byte) => characters[byte.charCodeAt(0)]!), isWhole: true };
}

function decode(bytes: Uint8Array, encoding: string): DecodedText {
  try {
    return { text: new TextDecoder(encoding, { fatal: true }).decode(bytes), isWhole: true };
  } catch {
    return { text: textBeforeFault(bytes, encoding), isWhole: false };
  }
}

const PIECE_BYTES = 64 * 1024;

/** Decodes in pieces, and the first piece that fails byte by byte. */
function textBeforeFault(bytes: Uint8Array, encoding: string): string {
  const ahead = new TextDecoder(encoding, { fatal: true });
  const behind = new TextDecoder(encoding, { fatal: true });
  let text = '';
  let size = PIECE_BYTES;
  try {
    for (let at = 0; at < bytes.length; at += size) {
      if (size > 1 && !accepts(ahead, bytes.subarray(at, at + size))) size = 1;
      text += behind.decode(bytes.subarray(at, at + size), { stream: true });
    }
  } catch {
    // The text ends here.
  }
  return text;
}

function accepts(decoder: TextDecoder, bytes: Uint8Array): boolean {
  try {
    decoder.decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}
