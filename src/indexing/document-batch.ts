import type { DocumentChange } from './targets/target.ts';

/** A batch is worth writing from this many documents on, or with fewer that are long. */
const MANY = 1000;
const LONG_CHARACTERS = 2 * 1024 * 1024;

/** Documents that are waiting to be written together. */
export class DocumentBatch {
  #changes: DocumentChange[] = [];
  #characters = 0;

  /** `size`: about the number of characters of the document. */
  add(change: DocumentChange, size: number): void {
    this.#changes.push(change);
    this.#characters += size;
  }

  get isEmpty(): boolean {
    return this.#changes.length === 0;
  }

  get isLarge(): boolean {
    return this.#changes.length >= MANY || this.#characters >= LONG_CHARACTERS;
  }

  /** Returns the documents, and forgets them. */
  take(): readonly DocumentChange[] {
    const changes = this.#changes;
    this.#changes = [];
    this.#characters = 0;
    return changes;
  }
}
