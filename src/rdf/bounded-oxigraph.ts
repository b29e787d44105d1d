/**
 * Oxigraph with memory of its own that ends early. Oxigraph's memory ends at 4 GiB, and a thread's heap limit does not
 * count it; what strangers ask it to work out could take all the memory of the machine.
 */
import { createRequire } from 'node:module';
import { RdfError } from './errors.ts';
import { isTrap } from './oxigraph.ts';

type Oxigraph = typeof import('oxigraph');

const require = createRequire(import.meta.url);
const PAGE_BYTES = 64 * 1024;
/** Memory that an instance may keep for the next use: WebAssembly gives nothing back. */
const KEPT_BYTES = 64 * 1024 * 1024;

interface Instance {
  readonly oxigraph: Oxigraph;
  readonly memory: { readonly buffer: ArrayBuffer };
}

let instance: Instance | undefined;

/** Runs something. What needs more than `maxBytes` ends with `too-large`, and its instance is thrown away. */
export function withBoundedOxigraph<T>(maxBytes: number, run: (oxigraph: Oxigraph) => T): T {
  instance ??= instantiate(maxBytes);
  const { oxigraph, memory } = instance;
  try {
    const result = run(oxigraph);
    if (memory.buffer.byteLength > KEPT_BYTES) instance = undefined;
    return result;
  } catch (error) {
    if (memory.buffer.byteLength > KEPT_BYTES || isTrap(error)) instance = undefined;
    if (!isTrap(error)) throw error;
    throw new RdfError('too-large', `It takes more than ${maxBytes} bytes of memory to work this out`);
  }
}

/** What is used here of the global `WebAssembly`; its types come with browsers' libraries only. */
interface WebAssemblyGlobal {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (...args: object[]) => { readonly exports: { readonly memory?: Instance['memory'] } };
}
const wasm = (globalThis as unknown as { WebAssembly: WebAssemblyGlobal }).WebAssembly;

/** The package loads its module as it is loaded itself; so for that moment its module is given a limit. */
function instantiate(maxBytes: number): Instance {
  const path = require.resolve('oxigraph');
  const { Module, Instance } = wasm;
  let memory: Instance['memory'] | undefined;
  wasm.Module = new Proxy(Module, {
    construct: (target, [bytes]: [Uint8Array]) => new target(withMemoryLimit(bytes, maxBytes / PAGE_BYTES)),
  });
  wasm.Instance = new Proxy(Instance, {
    construct(target, args: object[]) {
      const made = new target(...args);
      memory = made.exports.memory;
      return made;
    },
  });
  delete require.cache[path];
  try {
    const oxigraph = require(path) as Oxigraph;
    if (!memory) throw new Error('The memory of Oxigraph can not be found.');
    return { oxigraph, memory };
  } finally {
    wasm.Module = Module;
    wasm.Instance = Instance;
    delete require.cache[path];
  }
}

const HEADER_BYTES = 8;
const MEMORY_SECTION = 5;
const LIMITED = 1;

/** The module with a limit in its memory section, which says: one memory, no limit, so many pages to begin with. */
function withMemoryLimit(module: Uint8Array, maxPages: number): Uint8Array {
  for (let at = HEADER_BYTES; at < module.length; ) {
    const size = readNumber(module, at + 1);
    if (module[at] !== MEMORY_SECTION) {
      at = size.end + size.value;
      continue;
    }
    const pages = readNumber(module, size.end + 2);
    const content = [1, LIMITED, ...numberBytes(pages.value), ...numberBytes(maxPages)];
    return Buffer.concat([
      module.subarray(0, at),
      Uint8Array.from([MEMORY_SECTION, ...numberBytes(content.length), ...content]),
      module.subarray(size.end + size.value),
    ]);
  }
  throw new Error('The module of Oxigraph has no memory of its own.');
}

/** Numbers are in LEB128: seven bits a byte, the lowest first. */
function readNumber(bytes: Uint8Array, start: number): { readonly value: number; readonly end: number } {
  let value = 0;
  for (let at = start, scale = 1; ; at++, scale *= 128) {
    const byte = bytes[at]!;
    value += (byte & 0x7f) * scale;
    if (byte < 0x80) return { value, end: at + 1 };
  }
}

function numberBytes(value: number): number[] {
  const low = value % 128;
  return value < 128 ? [value] : [low + 128, ...numberBytes((value - low) / 128)];
}
