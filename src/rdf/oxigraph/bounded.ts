/**
 * Oxigraph in an instance of its own with a memory limit. By default Oxigraph's memory is limited
 * to 4 GiB, which a thread's heap limit does not count; requests of clients could use up all the
 * memory of the machine.
 */
import { RdfError } from '../formats/errors.ts';
import { isTrap } from './library.ts';
import { type LimitedOxigraph, limitedOxigraph } from './limited.ts';
import { OxigraphPanic } from './panic.ts';

type Oxigraph = typeof import('oxigraph');

/**
 * The most memory that an instance may keep for the next use: WebAssembly never releases memory.
 */
const KEPT_BYTES = 64 * 1024 * 1024;

let instance: LimitedOxigraph | undefined;

/**
 * Runs a function. If it needs more than `maxBytes`, it fails with `too-large`. Then, and after
 * `OxigraphPanic`, its instance is discarded.
 */
export function withBoundedOxigraph<T>(maxBytes: number, run: (oxigraph: Oxigraph) => T): T {
  instance ??= limitedOxigraph(maxBytes);
  const { oxigraph, memory } = instance;
  try {
    const result = run(oxigraph);
    if (memory.buffer.byteLength > KEPT_BYTES) instance = undefined;
    return result;
  } catch (error) {
    const isBroken = isTrap(error) || error instanceof OxigraphPanic;
    if (isBroken || memory.buffer.byteLength > KEPT_BYTES) instance = undefined;
    if (!isTrap(error)) throw error;
    throw new RdfError('too-large', `This needs more than ${maxBytes} bytes of memory`);
  }
}
