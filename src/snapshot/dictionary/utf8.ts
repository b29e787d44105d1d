const encoder = new TextEncoder();

/**
 * The longest text, in UTF-16 units, that fits in the scratch buffer; three bytes a unit suffice.
 */
const SCRATCH_UNITS = 4096;
const scratch = { bytes: new Uint8Array(3 * SCRATCH_UNITS), length: 0 };

/** Encodes a text in UTF-8. The next call in this thread overwrites the result. */
export function utf8(text: string): { readonly bytes: Uint8Array; readonly length: number } {
  if (text.length > SCRATCH_UNITS) {
    const bytes = encoder.encode(text);
    return { bytes, length: bytes.length };
  }
  scratch.length = encodeAscii(text, scratch.bytes)
    ? text.length
    : encoder.encodeInto(text, scratch.bytes).written;
  return scratch;
}

/** Several times faster than an encoder for short ASCII texts, which most terms are. */
function encodeAscii(text: string, into: Uint8Array): boolean {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit > 0x7f) return false;
    into[i] = unit;
  }
  return true;
}
