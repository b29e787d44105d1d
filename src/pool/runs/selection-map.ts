import { LRUCache } from 'lru-cache';
import type { Selection } from '../evaluation-request.ts';

/** Selections that are remembered: their number, and the total length of their texts. */
const SELECTIONS = 1_000;
const TOTAL_LENGTH = 8 * 1024 * 1024;

/** An LRU cache of data about selections: their programs, or the cost of their start resources. */
export class SelectionMap<T extends object | true> {
  readonly #values = new LRUCache<string, T>({
    max: SELECTIONS,
    maxSize: TOTAL_LENGTH,
    sizeCalculation: (_value, key) => key.length,
  });
  /** The last hit. Consecutive look-ups are often for the same selection, and then need no key. */
  #last: { readonly selection: Selection; readonly value: T } | undefined;

  get(selection: Selection): T | undefined {
    if (this.#last && isSame(selection, this.#last.selection)) return this.#last.value;
    const value = this.#values.get(keyOf(selection));
    if (value !== undefined) this.#last = { selection, value };
    return value;
  }

  set(selection: Selection, value: T): void {
    this.#values.set(keyOf(selection), value);
    this.#last = { selection, value };
  }

  delete(selection: Selection): void {
    this.#values.delete(keyOf(selection));
    this.#last = undefined;
  }
}

/** May return false for equal selections. */
function isSame(x: Selection, y: Selection): boolean {
  return (
    x.mode === y.mode &&
    x.source === y.source &&
    x.namespaces === y.namespaces &&
    x.format === y.format &&
    x.separator === y.separator
  );
}

function keyOf({ mode, source, namespaces, format, separator }: Selection): string {
  const shape = format === undefined ? '' : ` ${format} ${separator ?? ''}`;
  return `${mode}${shape}${namespaces === undefined ? '' : JSON.stringify(namespaces)}\n${source}`;
}
