import { MAX_TERM_BYTES, type StoredTerms } from './term-writer.ts';

/**
 * The share of memory that is added for new terms. Pages that are never written to use no memory.
 */
const ROOM = 1 / 4;

/**
 * Returns the terms of a dictionary that have a number, `kept` of them, in their order; `numbers`
 * is indexed by id.
 */
export function keptTerms(
  { arena, ends, termCount }: StoredTerms,
  kept: number,
  numbers: Uint32Array,
): StoredTerms {
  const oldBytes = new Uint8Array(arena);
  const oldEnds = new Uint32Array(ends);
  let size = 0;
  for (let id = 1; id <= termCount; id++) if (numbers[id] !== 0) size += oldEnds[id]! - oldEnds[id - 1]!;
  const bytes = new Uint8Array(new SharedArrayBuffer(Math.min(Math.ceil((1 + ROOM) * size), MAX_TERM_BYTES)));
  const newEnds = new Uint32Array(new SharedArrayBuffer(4 * Math.ceil((1 + ROOM) * (kept + 1))));
  let end = 0;
  for (let id = 1; id <= termCount; id++) {
    if (numbers[id] === 0) continue;
    bytes.set(oldBytes.subarray(oldEnds[id - 1]!, oldEnds[id]!), end);
    end += oldEnds[id]! - oldEnds[id - 1]!;
    newEnds[numbers[id]!] = end;
  }
  return { termCount: kept, arena: bytes.buffer, ends: newEnds.buffer };
}
