/** A pair of surrogates, a surrogate without the other one, or any other escape. */
const escapes =
  /\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|\\(u[dD][89a-fA-F][\da-fA-F]{2})|\\[\s\S]/g;

/**
 * Returns the offset of the first escape in JSON that is half of a surrogate pair; -1 if there is
 * no such escape.
 */
export function loneSurrogate(bytes: Uint8Array): number {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
  for (const { 1: lone, index } of text.matchAll(escapes)) if (lone !== undefined) return index;
  return -1;
}
