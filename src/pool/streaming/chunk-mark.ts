/**
 * The last word of a memory records whether the client of a document has finished with it. A
 * message could come too late: the thread that wrote the document may already be writing the next
 * one.
 */
export const MARK_BYTES = Int32Array.BYTES_PER_ELEMENT;

const FREE = 0;
const USED = 1;

export function markUsed(memory: SharedArrayBuffer): void {
  Atomics.store(markOf(memory), 0, USED);
}

export function markFree(memory: SharedArrayBuffer): void {
  Atomics.store(markOf(memory), 0, FREE);
}

export function isFree(memory: SharedArrayBuffer): boolean {
  return Atomics.load(markOf(memory), 0) === FREE;
}

function markOf(memory: SharedArrayBuffer): Int32Array {
  return new Int32Array(memory, memory.byteLength - MARK_BYTES, 1);
}
