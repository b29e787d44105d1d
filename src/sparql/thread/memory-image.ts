/**
 * A copy of the complete state of an Oxigraph instance. Making another instance from it takes a
 * tenth of the time of filling one. It relies on how the package keeps its state: in its linear
 * memory, and in a table of JavaScript values that the memory refers to by index. That is so in the
 * known version. With another version, or if the table contains anything but plain values, there is
 * no image.
 *
 * The state of the random number generator, once it exists, is part of the memory. So an image is
 * taken before the first query; otherwise two instances would generate the same UUIDs.
 */
import {
  isKnownVersion,
  type LimitedOxigraph,
  limitedOxigraph,
  PAGE_BYTES,
} from '../../rdf/oxigraph/limited.ts';

type Store = import('oxigraph').Store;
type Plain = string | boolean;

export interface MemoryImage {
  readonly memory: SharedArrayBuffer;
  /** Length of the table of values, and its values that are not null or undefined. */
  readonly tableLength: number;
  readonly values: readonly (readonly [place: number, value: Plain])[];
  /** Address of the store in the memory. */
  readonly store: number;
  /** Number of quads in the store. */
  readonly size: number;
}

/** Members of the package's objects that their declared types do not have. */
interface Placed {
  __wbg_ptr: number;
}

/** Returns undefined if no image can be taken. */
export function takeImage({ exports, memory }: LimitedOxigraph, store: Store): MemoryImage | undefined {
  const table = exports.__wbindgen_externrefs;
  if (!isKnownVersion || !table) return undefined;
  const values: [number, Plain][] = [];
  for (let place = 0; place < table.length; place++) {
    const value = table.get(place);
    if (typeof value === 'string' || typeof value === 'boolean') values.push([place, value]);
    else if (value !== undefined && value !== null) return undefined;
  }
  const copy = new SharedArrayBuffer(memory.buffer.byteLength);
  // Node.js copies to shared memory several times faster than V8 does.
  Buffer.from(memory.buffer).copy(Buffer.from(copy));
  const { __wbg_ptr } = store as unknown as Placed;
  return { memory: copy, tableLength: table.length, values, store: __wbg_ptr, size: store.size };
}

/**
 * Restores an instance with its store from an image, using an unused instance. Returns undefined if
 * anything is not as expected.
 */
export function restoreImage(
  image: MemoryImage,
  maxBytes: number,
  limited = limitedOxigraph(maxBytes),
): { readonly limited: LimitedOxigraph; readonly store: Store } | undefined {
  if (image.memory.byteLength > maxBytes) return undefined;
  const { exports, memory, oxigraph } = limited;
  const table = exports.__wbindgen_externrefs;
  if (!isKnownVersion || !table) return undefined;
  table.grow(Math.max(0, image.tableLength - table.length));
  for (const [place, value] of image.values) table.set(place, value);
  memory.grow((image.memory.byteLength - memory.buffer.byteLength) / PAGE_BYTES);
  Buffer.from(image.memory).copy(Buffer.from(memory.buffer));
  const store = Object.create(oxigraph.Store.prototype) as Store & Placed;
  store.__wbg_ptr = image.store;
  return isSound(store, image) ? { limited, store } : undefined;
}

function isSound(store: Store, { size }: MemoryImage): boolean {
  if (store.size !== size) return false;
  const all = { use_default_graph_as_union: true };
  return store.query('ASK { ?s ?p ?o }', all) === size > 0;
}
