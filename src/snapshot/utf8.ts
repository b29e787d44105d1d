const encoder = new TextEncoder();

/** Longest text, in UTF-16 units, that the scratch buffer takes; three bytes a unit suffice. */
const SCRATCH_UNITS = 4096;
const scratch = { bytes: new Uint8Array(3 * SCRATCH_UNITS), length: 0 };

/** A text in UTF-8. The result is overwritten by the next call of this thread. */
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

/** Several times faster than an encoder for the short ASCII texts that most terms are. */
function encodeAscii(text: string, into: Uint8Array): boolean {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit > 0x7f) return false;
    into[i] = unit;
  }
  return true;
}
