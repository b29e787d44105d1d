import { LRUCache } from 'lru-cache';
import type { Selection } from './messages.ts';

/** Selections that are remembered, by count and by the length of their texts together. */
const SELECTIONS = 1_000;
const TOTAL_LENGTH = 8 * 1024 * 1024;

/** What is known of selections that were used of late: their programs, what their starts cost. */
export class SelectionMap<T extends object | true> {
  readonly #values = new LRUCache<string, T>({
    max: SELECTIONS,
    maxSize: TOTAL_LENGTH,
    sizeCalculation: (_value, key) => key.length,
  });
  /** What was found last: uses that follow one another are often of one selection, and need no key then. */
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

/** May say no to selections that are the same after all. */
function isSame(x: Selection, y: Selection): boolean {
  return x.mode === y.mode && x.source === y.source && x.namespaces === y.namespaces;
}

function keyOf({ mode, source, namespaces }: Selection): string {
  return `${mode}${namespaces === undefined ? '' : JSON.stringify(namespaces)}\n${source}`;
}
