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
}

export const noContexts = new PreloadedContexts({});
