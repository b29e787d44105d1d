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

  get(selection: Selection): T | undefined {
    return this.#values.get(keyOf(selection));
  }

  set(selection: Selection, value: T): void {
    this.#values.set(keyOf(selection), value);
  }
}

function keyOf({ mode, source, namespaces }: Selection): string {
  return `${mode}${namespaces === undefined ? '' : JSON.stringify(namespaces)}\n${source}`;
}
