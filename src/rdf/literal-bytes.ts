const QUOTE = 0x22;
const GREATER = 0x3e;

/** A literal in canonical form, as offsets into the bytes it stands in. */
export interface LiteralParts {
  /** Of the closing quote; the text begins behind the opening one. */
  readonly close: number;
  readonly kind: 'plain' | 'tagged' | 'typed';
  /** Of the language tag or of the IRI of the datatype, without its brackets; empty when plain. */
  readonly start: number;
  readonly end: number;
}

/** Takes apart the literal that ends at `end`; no other quote than the closing one can follow it unescaped. */
export function literalParts(bytes: Uint8Array, end: number): LiteralParts {
  const last = bytes[end - 1];
  if (last === QUOTE) return { close: end - 1, kind: 'plain', start: end, end };
  const close = bytes.lastIndexOf(QUOTE, end - 1);
  if (last === GREATER) return { close, kind: 'typed', start: close + 4, end: end - 1 };
  return { close, kind: 'tagged', start: close + 2, end };
}
