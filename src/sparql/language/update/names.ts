import type { ContextDefinition, TermIri } from '@traqula/rules-sparql-1-1';
import { iriFault } from '../../../rdf/iri.ts';
import { resolveIri } from '../../../rdf/resolve-iri.ts';
import { syntaxError } from './parser.ts';

/** What `BASE` and `PREFIX` have declared so far. */
export class DeclaredNames {
  readonly #text: string;
  #base: string;
  readonly #prefixes = new Map<string, string>();

  /** `text`: of the update, for the positions of errors. `base`: absolute. */
  constructor(text: string, base: string) {
    this.#text = text;
    this.#base = base;
  }

  declare(definitions: readonly ContextDefinition[]): void {
    for (const definition of definitions) {
      const iri = this.resolve(definition.value);
      if (definition.subType === 'base') this.#base = iri;
      else this.#prefixes.set(definition.key, iri);
    }
  }

  /** An absolute IRI. Error `parse-error`. */
  resolve(term: TermIri): string {
    const iri = 'prefix' in term ? this.#expand(term.prefix, term.value) : resolveIri(term.value, this.#base);
    const fault = iriFault(iri);
    if (fault !== undefined) throw syntaxError(fault, this.#text, placeOf(term).start);
    return iri;
  }

  /** Declarations that come to the same for a text that uses only these prefixes. */
  prologue(used: Iterable<string>): string {
    const lines = [`BASE <${this.#base}>\n`];
    for (const prefix of used) {
      const iri = this.#prefixes.get(prefix);
      if (iri !== undefined) lines.push(`PREFIX ${prefix}: <${iri}>\n`);
    }
    return lines.join('');
  }

  /** The parser has seen to it that the prefix is declared. */
  #expand(prefix: string, local: string): string {
    return this.#prefixes.get(prefix)! + local.replaceAll(/\\(.)/g, '$1');
  }
}

/** Where something stands in the text. */
export function placeOf({ loc }: Pick<TermIri, 'loc'>): { readonly start: number; readonly end: number } {
  if (loc.sourceLocationType !== 'source') throw new Error('The parser gives no place.');
  return loc;
}
