import { SMALL_LETTER, tagStart } from '../../rdf/model/language/tag-case.ts';

/**
 * Returns the MurmurHash3 (32 bit, x86 variant) of the term `bytes[from .. to)`, with its language
 * tag in lower case, as a signed 32-bit integer. Images contain hashes, so it can't be changed.
 */
export function hashTerm(bytes: Uint8Array, from: number, to: number, seed: number): number {
  const tag = tagStart(bytes, from, to);
  let hash = seed;
  let i = from;
  for (const lastWord = tag - 3; i < lastWord; i += 4) {
    const word = bytes[i]! | (bytes[i + 1]! << 8) | (bytes[i + 2]! << 16) | (bytes[i + 3]! << 24);
    hash = mixIn(hash, word);
  }
  // With a tag, at most three bytes before it are left, and any number of its own.
  for (const lastWord = to - 3; i < lastWord; i += 4) hash = mixIn(hash, smallWord(bytes, i, i + 4, tag));
  return mix(hash ^ scramble(smallWord(bytes, i, to, tag)) ^ (to - from));
}

/** Returns the bytes `bytes[from .. to)` as a little-endian number, those from `tag` on small. */
function smallWord(bytes: Uint8Array, from: number, to: number, tag: number): number {
  let word = 0;
  for (let at = to - 1; at >= from; at--) word = (word << 8) | (bytes[at]! | (at < tag ? 0 : SMALL_LETTER));
  return word;
}

function mixIn(hash: number, word: number): number {
  const mixed = hash ^ scramble(word);
  return (Math.imul((mixed << 13) | (mixed >>> 19), 5) + 0xe6546b64) | 0;
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
