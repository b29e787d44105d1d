import { isObject } from './term-definitions.ts';

/** A context that documents may name by its IRI. */
export interface PreloadedContext {
  /** The value of `@context` in its document. */
  readonly value: unknown;
  /** Length of the value as JSON. */
  readonly size: number;
}

/** The contexts that are known without fetching anything; each is read when it is first used. */
export class PreloadedContexts {
  readonly #texts: Readonly<Record<string, string>>;
  readonly #read = new Map<string, PreloadedContext>();
  #scopedTerms: ReadonlySet<string> | undefined;

  /** `texts`: the values of `@context` as JSON, by the IRIs of their documents. */
  constructor(texts: Readonly<Record<string, string>>) {
    this.#texts = texts;
  }

  get isEmpty(): boolean {
    return Object.keys(this.#texts).length === 0;
  }

  get(iri: string): PreloadedContext | undefined {
    const known = this.#read.get(iri);
    if (known || !Object.hasOwn(this.#texts, iri)) return known;
    const text = this.#texts[iri]!;
    const context = { value: JSON.parse(text) as unknown, size: text.length };
    this.#read.set(iri, context);
    return context;
  }

  /** The names of all terms with contexts of their own. */
  get scopedTerms(): ReadonlySet<string> {
    if (this.#scopedTerms) return this.#scopedTerms;
    const names = new Set<string>();
    for (const iri of Object.keys(this.#texts)) addScopedTerms(this.get(iri)?.value, names);
    this.#scopedTerms = names;
    return names;
  }
}

function addScopedTerms(value: unknown, names: Set<string>): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, part] of Object.entries(value)) {
    if (isObject(part) && part['@context'] !== undefined) names.add(name);
    addScopedTerms(part, names);
  }
}

export const noContexts = new PreloadedContexts({});
