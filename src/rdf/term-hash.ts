import { randomInt } from 'node:crypto';

/**
 * What a hash depends on beside the term. Factors are odd, so that no multiplication loses
 * anything.
 */
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
 * The hash of a term, of 32 bits. Each word is multiplied and rotated before it is mixed in and the
 * whole is multiplied. One multiplication would not do: it keeps a difference in the highest bits
 * of a word as it is, whatever the factor, so that the next word could be prepared to cancel it.
 * The rotation moves these bits down, where what the second factor makes of them can't be foretold.
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
