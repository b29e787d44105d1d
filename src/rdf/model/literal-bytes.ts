const QUOTE = 0x22;
const DASH = 0x2d;
const GREATER = 0x3e;
/** Two dashes and `ltr` or `rtl`. */
const DIRECTION_BYTES = 5;

/** A literal in canonical form, as offsets into its bytes. */
export interface LiteralParts {
  /** Offset of the closing quote; the text begins after the opening one. */
  readonly close: number;
  readonly kind: 'plain' | 'tagged' | 'typed';
  /** Range of the language, or of the datatype's IRI without its brackets; empty when plain. */
  readonly start: number;
  readonly end: number;
  /** Range of the direction; empty without one. */
  readonly direction: number;
  readonly directionEnd: number;
}

/**
 * Splits the literal that ends at `end`; after the closing quote there can be no other unescaped
 * one.
 */
export function literalParts(bytes: Uint8Array, end: number): LiteralParts {
  const last = bytes[end - 1];
  const none = { direction: end, directionEnd: end };
  if (last === QUOTE) return { close: end - 1, kind: 'plain', start: end, end, ...none };
  const close = bytes.lastIndexOf(QUOTE, end - 1);
  if (last === GREATER) return { close, kind: 'typed', start: close + 4, end: end - 1, ...none };
  const dashes = end - DIRECTION_BYTES;
  const isDirected = dashes > close + 2 && bytes[dashes] === DASH && bytes[dashes + 1] === DASH;
  if (!isDirected) return { close, kind: 'tagged', start: close + 2, end, ...none };
  const direction = dashes + 2;
  return { close, kind: 'tagged', start: close + 2, end: dashes, direction, directionEnd: end };
}
