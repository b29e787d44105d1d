import { isIri } from '../../model/iri.ts';
import { RDF, XSD } from '../../model/term.ts';

/** Bytes with a meaning in N-Quads. */
export const TAB = 0x09;
export const LF = 0x0a;
export const CR = 0x0d;
export const SPACE = 0x20;
export const QUOTE = 0x22;
export const HASH = 0x23;
export const OPEN_PARENTHESIS = 0x28;
export const CLOSE_PARENTHESIS = 0x29;
export const DASH = 0x2d;
export const DOT = 0x2e;
export const COLON = 0x3a;
export const LESS = 0x3c;
export const GREATER = 0x3e;
export const AT = 0x40;
export const BACKSLASH = 0x5c;
export const CARET = 0x5e;
export const UNDERSCORE = 0x5f;
export const LOWER_L = 0x6c;
export const LOWER_R = 0x72;
export const LOWER_T = 0x74;

/**
 * The parts of the syntax in which a byte is allowed. Bytes of 0x80 and up belong to characters
 * that are allowed in IRIs, strings and labels.
 */
export const IRI = 1;
export const STRING = 2;
export const LABEL = 4;
export const LETTER = 8;
export const TAG = 16;
export const CANONICAL_ESCAPE = 32;
/** Allowed in the path, the query and the fragment of an IRI alike. */
export const PLAIN = 64;

export const classes = classifyBytes();

function classifyBytes(): Uint8Array {
  const table = new Uint8Array(256).fill(IRI | STRING | LABEL, 0x80);
  for (let byte = 0x20; byte < 0x7f; byte++) {
    const character = String.fromCharCode(byte);
    if (!' <>"{}|^`\\'.includes(character)) table[byte]! |= IRI;
    if (isIri(`x:${character}?${character}#${character}`)) table[byte]! |= PLAIN;
    if (!'"\\'.includes(character)) table[byte]! |= STRING;
    if (/[A-Za-z0-9_.-]/.test(character)) table[byte]! |= LABEL;
    if (/[A-Za-z]/.test(character)) table[byte]! |= LETTER;
    if (/[A-Za-z0-9]/.test(character)) table[byte]! |= TAG;
    if (/[btnfr"\\]/.test(character)) table[byte]! |= CANONICAL_ESCAPE;
  }
  // IRIs contain it unescaped, as in the grammar; a canonical string escapes it.
  table[0x7f] = IRI;
  return table;
}

const encoder = new TextEncoder();

const specialDatatypes = [`<${XSD}string>`, `<${RDF}langString>`, `<${RDF}dirLangString>`].map((text) =>
  encoder.encode(text),
);

/** Whether the canonical form omits the datatype, or the datatype cannot be written as such. */
export function isSpecialDatatype(bytes: Uint8Array, start: number, end: number): boolean {
  return specialDatatypes.some(
    (name) => name.length === end - start && name.every((byte, index) => bytes[start + index] === byte),
  );
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Decodes a range of UTF-8. */
export function decode(bytes: Uint8Array, start: number, end: number): string {
  return decoder.decode(bytes.subarray(start, end));
}
