import type { StartList } from '../../pool/batch/start-list.ts';
import { packStarts, type StartPack } from '../../pool/batch/start-pack.ts';

/** Start resources that are already strings. */
export class TextStarts implements StartList {
  readonly #texts: readonly string[];

  constructor(texts: readonly string[]) {
    this.#texts = texts;
  }

  get length(): number {
    return this.#texts.length;
  }

  text(index: number): string {
    return this.#texts[index]!;
  }

  pack(from: number, to: number): StartPack {
    return packStarts(this.#texts.slice(from, to));
  }

  [Symbol.iterator](): Iterator<string> {
    return this.#texts[Symbol.iterator]();
  }
}
