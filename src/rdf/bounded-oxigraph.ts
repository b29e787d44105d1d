/**
 * Oxigraph with memory of its own that ends early. Oxigraph's memory ends at 4 GiB, and a thread's heap limit does not
 * count it; what strangers ask it to work out could take all the memory of the machine.
 */
import { RdfError } from './errors.ts';
import { type LimitedOxigraph, limitedOxigraph } from './limited-oxigraph.ts';
import { isTrap } from './oxigraph.ts';

type Oxigraph = typeof import('oxigraph');

/** Memory that an instance may keep for the next use: WebAssembly gives nothing back. */
const KEPT_BYTES = 64 * 1024 * 1024;

let instance: LimitedOxigraph | undefined;

/** Runs something. What needs more than `maxBytes` ends with `too-large`, and its instance is thrown away. */
export function withBoundedOxigraph<T>(maxBytes: number, run: (oxigraph: Oxigraph) => T): T {
  instance ??= limitedOxigraph(maxBytes);
  const { oxigraph, memory } = instance;
  try {
    const result = run(oxigraph);
    if (memory.buffer.byteLength > KEPT_BYTES) instance = undefined;
    return result;
  } catch (error) {
    if (memory.buffer.byteLength > KEPT_BYTES || isTrap(error)) instance = undefined;
    if (!isTrap(error)) throw error;
    throw new RdfError('too-large', `This needs more than ${maxBytes} bytes of memory`);
  }
}
