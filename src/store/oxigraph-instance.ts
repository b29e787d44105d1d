/**
 * Oxigraph's WebAssembly memory ends at 4 GiB and never shrinks, and the package keeps it to itself. So the module is
 * loaded here by hand: the memory's size can be read, and a fresh instance gives back what an old one held.
 */
import { createRequire } from 'node:module';

export interface OxigraphInstance {
  readonly Store: typeof import('oxigraph').Store;
  /** Bytes of WebAssembly memory. */
  heapBytes(): number;
  /**
   * Makes the memory grow by so many bytes at once, if there is no such piece free in it. Otherwise it grows by a little
   * hundreds of times while a lot is loaded, and each time V8 collects all its garbage, since it takes the whole memory
   * for new: a third of the time of a big load.
   */
  reserve(bytes: number): void;
}

const require = createRequire(import.meta.url);
let current: OxigraphInstance | undefined;

/** The instance of this thread; all its stores share one memory. */
export function sharedOxigraph(): OxigraphInstance {
  current ??= instantiate();
  return current;
}

/** A new instance with empty memory, which is the thread's from now on. The old one lives while its stores do. */
export function freshOxigraph(): OxigraphInstance {
  current = instantiate();
  return current;
}

/** Whether WebAssembly itself failed, which breaks an instance for good. Its memory that ends is the usual reason. */
export function isTrap(error: unknown): boolean {
  return error instanceof wasm.RuntimeError;
}

/** What is used here of the global `WebAssembly`; its types come with browsers' libraries only. */
interface WasmInstance {
  readonly exports: Partial<WasmExports>;
}
interface WasmExports {
  readonly memory: { readonly buffer: ArrayBuffer };
  /** Gives the address of a piece of memory. */
  readonly __wbindgen_malloc: (bytes: number, alignment: number) => number;
  readonly __wbindgen_free: (address: number, bytes: number, alignment: number) => void;
}
interface Wasm {
  Instance: new (...args: object[]) => WasmInstance;
  readonly RuntimeError: new () => Error;
}
const wasm = (globalThis as unknown as { WebAssembly: Wasm }).WebAssembly;

/** The module is not left in the cache: who else wants Oxigraph in this thread gets memory of its own. */
function instantiate(): OxigraphInstance {
  const path = require.resolve('oxigraph');
  const { Instance } = wasm;
  let made: WasmInstance | undefined;
  wasm.Instance = new Proxy(Instance, {
    construct(target, args: object[]) {
      made = new target(...args);
      return made;
    },
  });
  delete require.cache[path];
  try {
    const { Store } = require(path) as typeof import('oxigraph');
    const { memory, __wbindgen_malloc: allocate, __wbindgen_free: free } = made?.exports ?? {};
    if (!memory || !allocate || !free) throw new Error('The memory of Oxigraph can not be found.');
    const reserve = (bytes: number) => free(allocate(bytes, 1), bytes, 1);
    return { Store, heapBytes: () => memory.buffer.byteLength, reserve };
  } finally {
    wasm.Instance = Instance;
    delete require.cache[path];
  }
}
