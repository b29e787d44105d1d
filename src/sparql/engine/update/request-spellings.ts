import { hasSpelling, oxigraphSpellings } from '../../../rdf/oxigraph/spelling.ts';
import type { SparqlInstance } from '../../instance.ts';
import { mayBeRespelled } from '../canonical-literals.ts';

/** Literals whose spelling is looked up in one call. */
const LEARNT_TOGETHER = 10_000;

/** The spellings of literals in the data, and in the update that is being evaluated. */
export class RequestSpellings {
  readonly #instance: SparqlInstance;
  readonly #added = new Map<string, string[]>();
  readonly #canonical = new Map<string, string>();
  /** Literals that the update has added. */
  readonly #present = new Set<string>();

  constructor(instance: SparqlInstance) {
    this.#instance = instance;
  }

  /** Returns the other spellings of a term that Oxigraph writes like this. */
  of(canonical: string): readonly string[] {
    const added = this.#added.get(canonical);
    const stored = this.#instance.spellings(canonical);
    return added ? [...new Set([...stored, ...added])] : stored;
  }

  /** Returns how Oxigraph writes a literal that was learned. */
  canonical(written: string): string {
    return this.#canonical.get(written) ?? written;
  }

  /** Whether the update has added a literal. */
  has(written: string): boolean {
    return this.#present.has(written);
  }

  /** Records that the update has added a literal. */
  note(written: string): void {
    if (hasSpelling(written)) this.#present.add(written);
  }

  /** Learns literals that the update adds or removes. */
  learn(terms: Iterable<string>): void {
    let unknown = new Set<string>();
    for (const term of terms) {
      if (mayBeRespelled(term) && !this.#canonical.has(term)) unknown.add(term);
      if (unknown.size < LEARNT_TOGETHER) continue;
      this.#ask(unknown);
      unknown = new Set();
    }
    this.#ask(unknown);
  }

  #ask(unknown: Iterable<string>): void {
    for (const [written, canonical] of oxigraphSpellings(this.#instance.oxigraph, unknown)) {
      this.#canonical.set(written, canonical);
      if (written === canonical) continue;
      const others = this.#added.get(canonical);
      if (others) others.push(written);
      else this.#added.set(canonical, [written]);
    }
  }
}
