import type { TermArena } from '../interning/term-arena.ts';

const UNDERSCORE = 0x5f;
const COLON = 0x3a;
const ZERO = 0x30;
/** `_:` and the digits of the highest number. */
const LONGEST = 12;

const label = new Uint8Array(LONGEST);

/** Adds the blank node of that number to the arena, which must not have it yet. */
export function addBlankNode(arena: TermArena, number: number): number {
  let start = LONGEST;
  let rest = number;
  do {
    label[--start] = ZERO + (rest % 10);
    rest = Math.trunc(rest / 10);
  } while (rest > 0);
  label[--start] = COLON;
  label[--start] = UNDERSCORE;
  return arena.addBytes(label, start, LONGEST);
}
