import { randomInt } from 'node:crypto';
import { SMALL_LETTER } from '../model/language/tag-case.ts';

/** The key of the hash function. Factors are odd, so that no multiplication loses information. */
export interface HashKey {
  readonly seed: number;
  readonly wordFactor: number;
  readonly factor: number;
}

/** Returns a random integer from 0 up to a limit, which is exclusive. */
type RandomBelow = (limit: number) => number;

/** These bits of the factor decide what becomes of a difference in bit 14. */
const DECISIVE_BITS = 2 ** 18 - 1;
/** 5 % of all odd factors have fewer signed powers of two in these bits. */
const LEAST_POWERS = 5;

/**
 * A new key of random numbers. Weak factors are drawn again: `hashOf` moves a difference in the
 * highest bit of a word to bit 14, and a factor which is a sum of few signed powers of two, such as
 * 1 or 2^15 - 1, would keep it in so few bits that the next words can be prepared to cancel it.
 */
export function newHashKey(randomBelow: RandomBelow = randomInt): HashKey {
  let factor = randomOdd(randomBelow);
  while (signedPowers(factor) < LEAST_POWERS) factor = randomOdd(randomBelow);
  return { seed: randomBelow(2 ** 32), wordFactor: randomOdd(randomBelow), factor };
}

function randomOdd(randomBelow: RandomBelow): number {
  return 2 * randomBelow(2 ** 31) + 1;
}

/**
 * The smallest number of powers of two whose sums and differences make up the decisive bits: the
 * digits of their non-adjacent form that are not 0.
 */
function signedPowers(factor: number): number {
  const value = factor & DECISIVE_BITS;
  let powers = 0;
  for (let rest = ((value ^ (3 * value)) >>> 1) & DECISIVE_BITS; rest !== 0; rest &= rest - 1) powers++;
  return powers;
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
