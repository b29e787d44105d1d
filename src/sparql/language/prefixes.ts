import { resolveIri } from '../../rdf/formats/resolve-iri.ts';
import { isWord } from './corrections/splice.ts';
import type { SparqlToken } from './token.ts';

/** The BASE and PREFIX declarations among the tokens of a text. */
export class Prefixes {
  #base: string;
  readonly #namespaces = new Map<string, string>();

  constructor(base: string) {
    this.#base = base;
  }

  /** Must be called for each token in turn. */
  read(tokens: readonly SparqlToken[], at: number): void {
    if (isWord(tokens[at], 'BASE')) this.#base = this.iri(tokens[at + 1]) ?? this.#base;
    else if (isWord(tokens[at], 'PREFIX')) this.#declare(tokens[at + 1], tokens[at + 2]);
  }

  /** `prefix`: including its colon. */
  #declare(prefix: SparqlToken | undefined, namespace: SparqlToken | undefined): void {
    const iri = this.iri(namespace);
    if (prefix?.kind === 'name' && iri !== undefined) this.#namespaces.set(prefix.text, iri);
  }

  /** Returns an absolute IRI; undefined if the token is not an IRI or a declared name. */
  iri(token: SparqlToken | undefined): string | undefined {
    if (token?.kind === 'iri') return resolveIri(token.text.slice(1, -1), this.#base);
    if (token?.kind !== 'name') return undefined;
    const local = token.text.indexOf(':') + 1;
    const namespace = this.#namespaces.get(token.text.slice(0, local));
    return namespace === undefined ? undefined : namespace + token.text.slice(local).replaceAll('\\', '');
  }
}
