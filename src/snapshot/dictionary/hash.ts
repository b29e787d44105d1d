/**
 * Returns the MurmurHash3 (32 bit, x86 variant) of `bytes[from .. to)` as a signed 32-bit integer.
 */
export function hashBytes(bytes: Uint8Array, from: number, to: number, seed: number): number {
  let hash = seed;
  let i = from;
  for (const lastWord = to - 3; i < lastWord; i += 4) {
    const word = bytes[i]! | (bytes[i + 1]! << 8) | (bytes[i + 2]! << 16) | (bytes[i + 3]! << 24);
    hash ^= scramble(word);
    hash = (Math.imul((hash << 13) | (hash >>> 19), 5) + 0xe6546b64) | 0;
  }
  let tail = 0;
  for (let j = to - 1; j >= i; j--) tail = (tail << 8) | bytes[j]!;
  return mix(hash ^ scramble(tail) ^ (to - from));
}

function scramble(word: number): number {
  const product = Math.imul(word, 0xcc9e2d51);
  return Math.imul((product << 15) | (product >>> 17), 0x1b873593);
}

/**
 * Spreads every bit of an integer over all 32 (the finaliser of MurmurHash3); the result is signed.
 */
export function mix(value: number): number {
  let hash = value;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
