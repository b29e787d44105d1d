const QUOTE = 0x22;
const GREATER = 0x3e;

/** A literal in canonical form, as offsets into its bytes. */
export interface LiteralParts {
  /** Offset of the closing quote; the text begins after the opening one. */
  readonly close: number;
  readonly kind: 'plain' | 'tagged' | 'typed';
  /**
   * Range of the language tag, or of the IRI of the datatype without its brackets; empty when
   * plain.
   */
  readonly start: number;
  readonly end: number;
}

/**
 * Splits the literal that ends at `end`; after the closing quote there can be no other unescaped
 * one.
 */
export function literalParts(bytes: Uint8Array, end: number): LiteralParts {
  const last = bytes[end - 1];
  if (last === QUOTE) return { close: end - 1, kind: 'plain', start: end, end };
  const close = bytes.lastIndexOf(QUOTE, end - 1);
  if (last === GREATER) return { close, kind: 'typed', start: close + 4, end: end - 1 };
  return { close, kind: 'tagged', start: close + 2, end };
}
