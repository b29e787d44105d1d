import type { ContextDefinition, TermIri } from '@traqula/rules-sparql-1-1';
import { AppError } from '../../../errors.ts';
import { resolveIri } from '../../../rdf/formats/resolve-iri.ts';
import { iriError } from '../../../rdf/model/iri.ts';
import { syntaxError } from './syntax-error.ts';

/**
 * The most characters of all names together after expansion, as a number and as a multiple of the
 * text.
 */
const MAX_CHARACTERS = 16 * 1024 * 1024;
const MAX_EXPANSION = 16;

/** The `BASE` and `PREFIX` declarations so far. */
export class DeclaredNames {
  readonly #text: string;
  #base: string;
  readonly #prefixes = new Map<string, string>();
  /** Characters left for further names. */
  #left: number;

  /** `text`: the update, for positions in errors. `base`: an absolute IRI. */
  constructor(text: string, base: string) {
    this.#text = text;
    this.#base = base;
    this.#left = Math.max(MAX_CHARACTERS, MAX_EXPANSION * text.length);
  }

  declare(definitions: readonly ContextDefinition[]): void {
    for (const definition of definitions) {
      const iri = this.resolve(definition.value);
      if (definition.subType === 'base') this.#base = iri;
      else this.#prefixes.set(definition.key, iri);
    }
  }

  /** Returns an absolute IRI. Errors: `parse-error`, `too-large`. */
  resolve(term: TermIri): string {
    const iri = 'prefix' in term ? this.#expand(term.prefix, term.value) : resolveIri(term.value, this.#base);
    this.#spend(iri.length);
    const problem = iriError(iri);
    if (problem !== undefined) throw this.errorAt(term, problem);
    return iri;
  }

  /** Returns a `parse-error` with the place of a term. */
  errorAt(term: Pick<TermIri, 'loc'>, message: string): AppError {
    return syntaxError(message, this.#text, placeOf(term).start);
  }

  /** Returns the language tag of a literal as the text has it; the parser returns lower case. */
  tagAsWritten(literal: Pick<TermIri, 'loc'>, tag: string): string {
    const { end } = placeOf(literal);
    const written = this.#text.slice(end - tag.length, end);
    return written.toLowerCase() === tag ? written : tag;
  }

  /**
   * Returns equivalent declarations for a text that uses only these prefixes. Error `too-large`.
   */
  prologue(used: Iterable<string>): string {
    const lines = [`BASE <${this.#base}>\n`];
    for (const prefix of used) {
      const iri = this.#prefixes.get(prefix);
      if (iri !== undefined) lines.push(`PREFIX ${prefix}: <${iri}>\n`);
    }
    for (const { length } of lines) this.#spend(length);
    return lines.join('');
  }

  /** Limits the size of all names, because a short text may repeat a long IRI many times. */
  #spend(characters: number): void {
    this.#left -= characters;
    if (this.#left >= 0) return;
    const message = 'The names of the update are too long in total after expansion.';
    throw new AppError('too-large', message, { source: 'body' });
  }

  /** The parser ensures that the prefix is declared. */
  #expand(prefix: string, local: string): string {
    return this.#prefixes.get(prefix)! + local.replaceAll(/\\(.)/g, '$1');
  }
}

/** Returns the range of a node in the text. */
export function placeOf({ loc }: Pick<TermIri, 'loc'>): { readonly start: number; readonly end: number } {
  if (loc.sourceLocationType !== 'source') throw new Error('The parser gives no place.');
  return loc;
}
