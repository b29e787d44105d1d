const STEP = 8;
const HALF_STEP = 4;

/** Returns a view for `copyWide`. */
export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}

/**
 * Copies UTF-8 `source[from .. to)` to `target[at ..]` in steps of eight bytes; the last step may
 * overlap the previous one. Source and target must not overlap. Steps are doubles, the only
 * eight-byte type that is copied without allocating. A NaN might not keep its bits, but eight bytes
 * of UTF-8 are never a NaN: the last two of them would be F0 to FF and 7F or FF, and FF never
 * occurs, nor does 7F after a byte from F0 on.
 *
 * Measured for the 34 bytes of a usual term: 14 ns; with steps of four bytes, and single bytes at
 * the end, it takes 30 ns. With steps of four bytes, N-Triples and paths to lists of IRIs take 1.25
 * times as long to write; with `set` and loops, the rows of a transaction take 2.3 times as long,
 * Turtle 1.1 times, and JSON-LD 1.2 times.
 */
// biome-ignore lint/complexity/useMaxParams: an object would cost more than the copy
export function copyWide(source: DataView, from: number, to: number, target: DataView, at: number): void {
  const last = to - STEP;
  if (last < from) {
    copyShort(source, from, to, target, at);
    return;
  }
  let j = at;
  for (let i = from; i < last; i += STEP, j += STEP) target.setFloat64(j, source.getFloat64(i, true), true);
  target.setFloat64(at + last - from, source.getFloat64(last, true), true);
}

/** Copies fewer bytes than a step has: twice four, or one by one. */
// biome-ignore lint/complexity/useMaxParams: an object would cost more than the copy
function copyShort(source: DataView, from: number, to: number, target: DataView, at: number): void {
  const last = to - HALF_STEP;
  if (last < from) {
    for (let i = from, j = at; i < to; i++, j++) target.setUint8(j, source.getUint8(i));
    return;
  }
  target.setUint32(at, source.getUint32(from, true), true);
  target.setUint32(at + last - from, source.getUint32(last, true), true);
}
