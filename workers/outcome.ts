import { type Result, toErrorData } from '../src/errors.ts';
import type { QuadBlock } from '../src/graph/quad-block.ts';

/** Up to so many bytes are copied with the message that they leave in. */
const COPIED_BYTES = 64 * 1024;

/** What goes back to the main thread: plain data. Typed arrays in it should be `leaving`. */
export function outcome<T>(value: T): Result<T> {
  return { ok: true, value };
}

export function failure(error: unknown): Result<never> {
  return { ok: false, error: toErrorData(error) };
}

/**
 * Numbers on their way to another thread: few are copied with the message, many are put in shared memory. None are moved: V8 has
 * a thread that ever gave a buffer away look at each access to a typed array whether its buffer is still there, and
 * exports, for one, are a tenth slower then.
 */
export function leaving(numbers: Uint8Array): Uint8Array;
export function leaving(numbers: Uint32Array): Uint32Array;
export function leaving(numbers: Uint8Array | Uint32Array): Uint8Array | Uint32Array {
  // The message would take all of the buffer along.
  if (numbers.byteLength <= COPIED_BYTES) return isWhole(numbers) ? numbers : numbers.slice();
  const bytes = Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength);
  const shared = new SharedArrayBuffer(bytes.length);
  // Node.js copies into shared memory several times faster than V8 does.
  bytes.copy(Buffer.from(shared));
  return numbers instanceof Uint8Array ? new Uint8Array(shared) : new Uint32Array(shared);
}

/** A block on its way to another thread. */
export function leavingBlock(block: QuadBlock): QuadBlock {
  return {
    termBytes: leaving(block.termBytes),
    termOffsets: leaving(block.termOffsets),
    quads: leaving(block.quads),
    graphs: leaving(block.graphs),
    freshBlankNodes: block.freshBlankNodes,
  };
}

function isWhole({ buffer, byteLength }: Uint8Array | Uint32Array): boolean {
  return buffer.byteLength === byteLength;
}
