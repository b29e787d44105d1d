import { literalParts } from '../../rdf/model/literal-bytes.ts';
import type { TermId } from '../../rdf/model/term-id.ts';
import { isTripleTermAt, withInnerTerms } from '../../rdf/model/triple-term.ts';
import type { Dictionary } from '../../snapshot/dictionary/dictionary.ts';
import type { PlanDictionary } from '../../snapshot/dictionary/planned-terms.ts';
import { endsBase, hasBase } from '../registry/base-names.ts';

const LESS = 0x3c;
const GREATER = 0x3e;
const QUOTE = 0x22;
const NOWHERE = -1;

/** Replaces one base by another at the start of IRIs, also in literals and triple terms. */
export class IriRenaming {
  readonly #terms: Dictionary;
  readonly #dictionary: PlanDictionary;
  readonly #from: Buffer;
  readonly #to: Buffer;
  readonly #renamed = new Map<TermId, TermId>();
  /** For each term: 0 not examined yet, 1 keeps its name, 2 gets another. */
  readonly #known: Uint8Array;

  /** New terms are added to `dictionary`. */
  constructor(terms: Dictionary, dictionary: PlanDictionary, from: string, to: string) {
    this.#terms = terms;
    this.#dictionary = dictionary;
    this.#from = Buffer.from(from);
    this.#to = Buffer.from(to);
    this.#known = new Uint8Array(terms.termCount + 1);
  }

  /** Whether a term gets another name. */
  concerns(id: TermId): boolean {
    this.#known[id] ||= this.#hasBase(id) ? 2 : 1;
    return this.#known[id] === 2;
  }

  /** Returns the term that replaces another; the same one if it keeps its name. */
  renamed(id: TermId): TermId {
    if (!this.concerns(id)) return id;
    const known = this.#renamed.get(id) ?? this.#dictionary.internText(this.text(id));
    this.#renamed.set(id, known);
    return known;
  }

  /** Returns the canonical form of the term that replaces another. */
  text(id: TermId): string {
    if (!this.concerns(id)) return this.#terms.text(id);
    const { bytes } = this.#terms;
    if (this.#isTriple(id)) return this.#renamedTriple(this.#terms.text(id));
    const place = this.#placeOfBase(id);
    const before = bytes.subarray(this.#terms.start(id), place);
    const after = bytes.subarray(place + this.#from.length, this.#terms.end(id));
    return Buffer.concat([before, this.#to, after]).toString();
  }

  #hasBase(id: TermId): boolean {
    if (!this.#isTriple(id)) return this.#placeOfBase(id) !== NOWHERE;
    const text = this.#terms.text(id);
    return this.#renamedTriple(text) !== text;
  }

  #isTriple(id: TermId): boolean {
    return isTripleTermAt(this.#terms.bytes, this.#terms.start(id));
  }

  #renamedTriple(text: string): string {
    return withInnerTerms(text, (term) => {
      if (term.startsWith('<')) return `<${this.#renamedIri(term.slice(1, -1))}>`;
      if (!term.startsWith('"') || !term.endsWith('>')) return term;
      const datatype = term.lastIndexOf('<') + 1;
      return `${term.slice(0, datatype)}${this.#renamedIri(term.slice(datatype, -1))}>`;
    });
  }

  #renamedIri(iri: string): string {
    const from = this.#from.toString();
    return hasBase(iri, from) ? this.#to.toString() + iri.slice(from.length) : iri;
  }

  /** The byte offset of the base in a term, or `NOWHERE`. */
  #placeOfBase(id: TermId): number {
    const { bytes } = this.#terms;
    const start = this.#terms.start(id);
    if (bytes[start] === LESS) return this.#standsAt(start + 1) ? start + 1 : NOWHERE;
    if (bytes[start] !== QUOTE) return NOWHERE;
    const { kind, start: datatype } = literalParts(bytes, this.#terms.end(id));
    return kind === 'typed' && this.#standsAt(datatype) ? datatype : NOWHERE;
  }

  #standsAt(place: number): boolean {
    const { bytes } = this.#terms;
    const from = this.#from;
    for (let i = 0; i < from.length; i++) if (bytes[place + i] !== from[i]) return false;
    const next = bytes[place + from.length]!;
    return next === GREATER || endsBase(next);
  }
}
