import { type Result, toErrorData } from '../../errors.ts';
import type { QuadBlock } from '../../rdf/model/quad-block.ts';

/** Up to this many bytes are copied in the message. */
const COPIED_BYTES = 64 * 1024;

/** The result for the main thread: plain data. Pass typed arrays in it through `shareOrCopy`. */
export function outcome<T>(value: T): Result<T> {
  return { ok: true, value };
}

export function failure(error: unknown): Result<never> {
  return { ok: false, error: toErrorData(error) };
}

/**
 * Prepares numbers for another thread: a few are copied in the message, many are put in shared
 * memory. They are never transferred. In a thread that has ever transferred a buffer, V8 checks at
 * each access to a typed array whether its buffer is still there; this makes exports, for example,
 * a tenth slower.
 */
export function shareOrCopy(numbers: Uint8Array): Uint8Array;
export function shareOrCopy(numbers: Uint32Array): Uint32Array;
export function shareOrCopy(numbers: Uint8Array | Uint32Array): Uint8Array | Uint32Array {
  // The message would include the whole buffer.
  if (numbers.byteLength <= COPIED_BYTES) return isWhole(numbers) ? numbers : numbers.slice();
  const bytes = Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength);
  const shared = new SharedArrayBuffer(bytes.length);
  // Node.js copies into shared memory several times faster than V8 does.
  bytes.copy(Buffer.from(shared));
  return numbers instanceof Uint8Array ? new Uint8Array(shared) : new Uint32Array(shared);
}

/** Prepares a block for another thread. */
export function shareOrCopyBlock(block: QuadBlock): QuadBlock {
  return {
    ...block,
    termBytes: shareOrCopy(block.termBytes),
    termOffsets: shareOrCopy(block.termOffsets),
    quads: shareOrCopy(block.quads),
    graphs: shareOrCopy(block.graphs),
  };
}

function isWhole({ buffer, byteLength }: Uint8Array | Uint32Array): boolean {
  return buffer.byteLength === byteLength;
}
