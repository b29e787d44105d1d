/** Oxigraph in an instance of its own, with a memory limit. */
import { createRequire } from 'node:module';
import { type Allocator, MemoryRoom } from './memory-room.ts';
import { throwPanics } from './panic.ts';
import { QueryOverhead } from './query-overhead.ts';

type Oxigraph = typeof import('oxigraph');

const require = createRequire(import.meta.url);
const { version } = require('oxigraph/package.json') as { readonly version: string };
/** Whether it is the version whose use of memory is known. */
export const isKnownVersion = version === '0.5.11';
export const PAGE_BYTES = 64 * 1024;
/** WebAssembly cannot address more. */
const MAX_PAGES = 65_536;

/** The exports of the module that are used outside the package. */
export interface OxigraphExports extends Allocator {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  /** The JavaScript objects that the module refers to. */
  readonly __wbindgen_externrefs: {
    readonly length: number;
    grow(by: number): number;
    get(index: number): unknown;
    set(index: number, value: unknown): void;
  };
}

export interface LimitedOxigraph {
  readonly oxigraph: Oxigraph;
  readonly memory: OxigraphExports['memory'];
  readonly exports: Partial<OxigraphExports>;
  readonly overhead: QueryOverhead;
  readonly room: MemoryRoom;
}

/**
 * The part of the global `WebAssembly` that is used here; its types come only with the libraries
 * for browsers.
 */
interface WebAssemblyGlobal {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (
    module: object,
    imports: Record<string, Record<string, () => unknown>>,
  ) => { readonly exports: Partial<OxigraphExports> };
}
const wasm = (globalThis as unknown as { WebAssembly: WebAssemblyGlobal }).WebAssembly;

/**
 * The package instantiates its WebAssembly module while it is being loaded, so for that moment the
 * module gets a limit. Panics throw `OxigraphPanic`.
 */
export function limitedOxigraph(maxBytes: number): LimitedOxigraph {
  const path = require.resolve('oxigraph');
  const { Module, Instance } = wasm;
  const maxPages = Math.min(MAX_PAGES, Math.floor(maxBytes / PAGE_BYTES));
  const overhead = new QueryOverhead();
  let exports: Partial<OxigraphExports> | undefined;
  wasm.Module = new Proxy(Module, {
    construct: (target, [bytes]: [Uint8Array]) => new target(withMemoryLimit(bytes, maxPages)),
  });
  wasm.Instance = new Proxy(Instance, {
    construct(target, args: ConstructorParameters<WebAssemblyGlobal['Instance']>) {
      overhead.watchClock(args[1]);
      throwPanics(args[1], () => exports?.memory);
      const made = new target(...args);
      exports = made.exports;
      return made;
    },
  });
  delete require.cache[path];
  try {
    const oxigraph = require(path) as Oxigraph;
    if (!exports?.memory) throw new Error('The memory of Oxigraph cannot be found.');
    if (isKnownVersion) overhead.findFunctions(exports.memory);
    const { memory } = exports;
    return { oxigraph, memory, exports, overhead, room: new MemoryRoom(memory, exports, maxBytes) };
  } finally {
    wasm.Module = Module;
    wasm.Instance = Instance;
    delete require.cache[path];
  }
}

const HEADER_BYTES = 8;
const MEMORY_SECTION = 5;
const LIMITED = 1;

/**
 * Returns the module with a limit in its memory section, which declares one memory, no limit, and
 * the initial number of pages.
 */
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

/** Numbers are in LEB128: seven bits in each byte, the lowest first. */
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
