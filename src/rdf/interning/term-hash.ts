import { randomInt } from 'node:crypto';
import { SMALL_LETTER } from '../model/tag-case.ts';

/** The key of the hash function. Factors are odd, so that no multiplication loses information. */
export interface HashKey {
  readonly seed: number;
  readonly wordFactor: number;
  readonly factor: number;
}

export function newHashKey(): HashKey {
  return { seed: randomInt(2 ** 32), wordFactor: randomOdd(), factor: randomOdd() };
}

function randomOdd(): number {
  return 2 * randomInt(2 ** 31) + 1;
}

/**
 * Returns the 32-bit hash of a term. Each word is multiplied and rotated before it is mixed in and
 * the whole is multiplied. One multiplication would not be enough: for every factor it preserves a
 * difference in the highest bit of a word, so that the next word could be prepared to cancel it.
 * The rotation moves the high bits down, where the effect of the second factor on them is
 * unpredictable.
 */
export function hashOf(key: HashKey, source: DataView, start: number, end: number): number {
  const { wordFactor, factor } = key;
  let hash = key.seed ^ (end - start);
  let at = start;
  for (const last = end - 3; at < last; at += 4) {
    const word = Math.imul(source.getInt32(at, true), wordFactor);
    hash = Math.imul(hash ^ ((word << 15) | (word >>> 17)), factor);
    hash ^= hash >>> 15;
  }
  if (at < end) {
    let rest = 0;
    for (; at < end; at++) rest = (rest << 8) | source.getUint8(at);
    const word = Math.imul(rest, wordFactor);
    hash = Math.imul(hash ^ ((word << 15) | (word >>> 17)), factor);
    hash ^= hash >>> 15;
  }
  return hash >>> 0;
}

/** Returns the 32-bit hash of the language tag `source[start .. end)`, whatever its case. */
export function hashOfTag(key: HashKey, source: Uint8Array, start: number, end: number): number {
  let hash = key.seed;
  for (let at = start; at < end; at++) {
    hash = Math.imul(hash ^ (source[at]! | SMALL_LETTER), key.factor);
    hash ^= hash >>> 15;
  }
  return hash >>> 0;
}
