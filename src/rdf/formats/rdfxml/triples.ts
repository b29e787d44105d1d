import { QuadBlockBuilder } from '../../interning/quad-block-builder.ts';
import {
  blankTerm,
  iriTerm,
  type TermRef,
  TextTerms,
  TripleRef,
  taggedTerm,
  typedTerm,
} from '../../interning/text-terms.ts';
import { iriError } from '../../model/iri.ts';
import type { QuadBlock } from '../../model/quad-block.ts';
import { MAX_DOCUMENT_QUAD_BYTES } from '../../model/quad-limits.ts';
import { RDF } from '../../model/term.ts';
import { MAX_TRIPLE_DEPTH } from '../../model/triple-term.ts';
import { tooLongQuad } from '../errors.ts';
import { datatypeError } from '../nquads/canonical-term.ts';
import type { Position } from '../position.ts';
import { resolveIri } from '../resolve-iri.ts';
import type { UnfoldingBudget } from '../unfolding-budget.ts';

/** What an element inherits. */
export interface Scope {
  readonly base: string;
  /** Empty for none. */
  readonly language: string;
  /** The direction of texts; empty for none. */
  readonly direction: string;
  /** Whether RDF 1.2 is declared, by `rdf:version`. */
  readonly isRdf12: boolean;
}

/** A property whose value is not known yet. */
export interface Statement {
  readonly subject: TermRef;
  readonly predicate: TermRef;
  /** The IRI that `rdf:ID` gives to the statement; undefined without one. */
  readonly name: TermRef | undefined;
  /** The resource that an annotation names; undefined without one. */
  readonly reifier: TermRef | undefined;
}

/** Where a document is read, and how it is rejected. */
export interface Place {
  position(): Position;
  /** `attribute`: the name of the attribute in the last tag that is the reason. */
  reject(reason: string, attribute?: string): never;
  /** Throws the code `too-large`. */
  tooLarge(reason: string): never;
}

/** The reason if a document exceeds the budget. */
export const EXPANDS = 'The document expands to too much: too many attributes or namespaces';

/** The budget ignores bases and namespaces up to this length. */
const SHORT = 256;

// The first character is a letter or `_`; XML has many kinds of letters.
const localName = /^[\p{L}\p{Nl}_][\p{L}\p{Nl}\p{Nd}\p{M}\u00b7_.-]*$/u;

/** Builds terms from attributes and text, and collects triples. */
export class Triples {
  readonly #place: Place;
  readonly #builder: QuadBlockBuilder;
  readonly #budget: UnfoldingBudget;
  readonly #terms: TextTerms;
  /**
   * Terms for names of properties and types, by their IRIs. Only short ones: the hash of a very
   * long string depends on its length only.
   */
  readonly #names = new Map<string, TermRef>();
  /** Short IRIs of datatypes that have been checked. */
  readonly #datatypes = new Set<string>();
  /** What `rdf:ID` has given: IRIs up to the fragment, with the fragments. */
  readonly #given = new Map<string, Set<string>>();
  /** The triple terms being read, outermost first; undefined until its triple is known. */
  readonly #open: (TripleRef | undefined)[] = [];

  constructor(documentBytes: number, place: Place, budget: UnfoldingBudget) {
    this.#place = place;
    this.#builder = new QuadBlockBuilder(documentBytes, () => place.position());
    this.#budget = budget;
    this.#terms = new TextTerms(this.#builder.terms, this.#budget, (error) => this.#check(error));
  }

  finish(): QuadBlock {
    return this.#builder.finish(true);
  }

  add(subject: TermRef, predicate: TermRef, object: TermRef): void {
    if (this.#open.length > 0) {
      if (this.#open.at(-1)) this.#place.reject('A triple term contains a second triple');
      this.#open[this.#open.length - 1] = tripleTerm(subject, predicate, object);
      return;
    }
    const terms = this.#terms;
    this.#builder.addQuad(terms.indexOf(subject), terms.indexOf(predicate), terms.indexOf(object));
  }

  /** Begins a triple term: the next triple is not added. */
  beginTerm(): void {
    if (this.#open.length === MAX_TRIPLE_DEPTH) {
      this.#place.reject(`Nested deeper than ${MAX_TRIPLE_DEPTH} triple terms`);
    }
    this.#open.push(undefined);
  }

  /** Ends a triple term, and returns it. */
  endTerm(): TermRef {
    return this.#open.pop() ?? this.#place.reject('A triple term contains no triple');
  }

  /** Adds a statement, and its description if it has a name. */
  addStatement({ subject, predicate, name, reifier }: Statement, object: TermRef): void {
    this.add(subject, predicate, object);
    if (reifier) this.add(reifier, this.rdf('reifies'), tripleTerm(subject, predicate, object));
    if (!name) return;
    this.add(name, this.rdf('type'), this.rdf('Statement'));
    this.add(name, this.rdf('subject'), subject);
    this.add(name, this.rdf('predicate'), predicate);
    this.add(name, this.rdf('object'), object);
  }

  rdf(local: string): TermRef {
    return this.name(RDF, local);
  }

  /** Returns the term for an element's name. */
  name(namespace: string, local: string): TermRef {
    this.spend(namespace.length);
    const iri = namespace + local;
    if (iri.length > SHORT) return iriTerm(iri);
    const known = this.#names.get(iri);
    if (known) return known;
    const term = iriTerm(iri);
    this.#names.set(iri, term);
    return term;
  }

  iri(reference: string, { base }: Scope): TermRef {
    this.spend(base.length);
    return iriTerm(resolveIri(reference, base));
  }

  /** Returns the IRI that an `rdf:ID` gives, which must be the only one of its kind. */
  given(id: string, scope: Scope): TermRef {
    const term = this.iri(`#${this.#localName(id, 'rdf:ID')}`, scope);
    const document = term.value.slice(0, -id.length);
    const ids = this.#given.get(document) ?? new Set();
    if (ids.has(id)) this.#place.reject(`Another element has the rdf:ID ${id}`);
    this.#given.set(document, ids.add(id));
    return term;
  }

  labelled(label: string): TermRef {
    return blankTerm(this.#localName(label, 'rdf:nodeID'));
  }

  literal(text: string, datatype: string | undefined, scope: Scope): TermRef {
    if (datatype === undefined) return this.text(text, scope);
    const { value } = this.iri(datatype, scope);
    if (!this.#datatypes.has(value)) this.#check(iriError(value) ?? datatypeError(value));
    if (value.length <= SHORT) this.#datatypes.add(value);
    return typedTerm(text, value);
  }

  text(text: string, { language, direction }: Scope): TermRef {
    if (language === '') return typedTerm(text);
    return taggedTerm(text, direction === '' ? language : `${language}--${direction}`);
  }

  /** Spends on the expansion of abbreviations. Throws `too-large`. */
  spend(characters: number): void {
    if (characters > SHORT && !this.#budget.covers(characters)) this.#place.tooLarge(EXPANDS);
  }

  /**
   * Checks a literal that is put together, and has become longer. Throws `too-large` before its
   * triple is complete.
   */
  checkLength({ length }: string): void {
    if (length > MAX_DOCUMENT_QUAD_BYTES) throw tooLongQuad(length, this.#place.position());
  }

  #localName(text: string, attribute: string): string {
    if (!localName.test(text)) this.#place.reject(`The value of ${attribute} must be a name without a colon`);
    return text;
  }

  #check(error: string | undefined): void {
    if (error !== undefined) this.#place.reject(error);
  }
}

function tripleTerm(subject: TermRef, predicate: TermRef, object: TermRef): TripleRef {
  const term = new TripleRef();
  term.subject = subject;
  term.predicate = predicate;
  term.object = object;
  return term;
}
