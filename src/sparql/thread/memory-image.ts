/**
 * A copy of all that an instance of Oxigraph holds, from which others are made in a tenth of the
 * time that it takes to fill one. It relies on how the package keeps its state: in its linear
 * memory, and in a table of JavaScript's values to which the memory refers by their places. That is
 * so in the known version; with another, or when the table has anything but plain values, there is
 * no image.
 *
 * The state of the generator of random numbers, once there is one, is a part of the memory: so an
 * image is taken before the first query, lest two instances make the same UUIDs.
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
  /** Length of the table of values, and those that are not null or undefined. */
  readonly tableLength: number;
  readonly values: readonly (readonly [place: number, value: Plain])[];
  /** Where the store is in the memory. */
  readonly store: number;
  /** Quads in the store. */
  readonly size: number;
}

/** What the package's objects have beyond their declared types. */
interface Placed {
  __wbg_ptr: number;
}

/** Undefined when none can be taken. */
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
  // Node.js copies into shared memory several times faster than V8 does.
  Buffer.from(memory.buffer).copy(Buffer.from(copy));
  const { __wbg_ptr } = store as unknown as Placed;
  return { memory: copy, tableLength: table.length, values, store: __wbg_ptr, size: store.size };
}

/**
 * An instance with a store as they were, made of one that was not used. Undefined when something is
 * not as it should be.
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
