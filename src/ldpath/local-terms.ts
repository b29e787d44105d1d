import type { TermId } from '../graph/term-id.ts';

/** Terms that an evaluation made and the graph does not know: negative ids, gone when the next one starts. */
export class LocalTerms {
  readonly #ids = new Map<string, TermId>();
  readonly #texts: string[] = [];

  clear(): void {
    if (this.#texts.length === 0) return;
    this.#ids.clear();
    this.#texts.length = 0;
  }

  /** Canonical N-Triples to id; equal terms get one id. */
  add(text: string): TermId {
    const known = this.#ids.get(text);
    if (known !== undefined) return known;
    const id = -this.#texts.push(text);
    this.#ids.set(text, id);
    return id;
  }

  text(id: TermId): string {
    return this.#texts[-id - 1]!;
  }
}
