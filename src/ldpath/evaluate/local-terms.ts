import { withSmallTag } from '../../rdf/model/language/tag-case.ts';
import type { TermId } from '../../rdf/model/term-id.ts';

/**
 * Terms that were created during an evaluation and are not in the graph. They have negative ids,
 * and are discarded when the next evaluation starts.
 */
export class LocalTerms {
  /** By text, with the language tag in lower case. */
  readonly #ids = new Map<string, TermId>();
  readonly #texts: string[] = [];

  clear(): void {
    if (this.#texts.length === 0) return;
    this.#ids.clear();
    this.#texts.length = 0;
  }

  /** Returns the id of a term in canonical N-Triples; equal terms get the same id. */
  add(text: string): TermId {
    const key = withSmallTag(text);
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    const id = -this.#texts.push(text);
    this.#ids.set(key, id);
    return id;
  }

  text(id: TermId): string {
    return this.#texts[-id - 1]!;
  }
}
