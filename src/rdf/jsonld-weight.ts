import { isObject, type JsonLdTerms, listOf, termsOf } from './jsonld-terms.ts';

/** What the parser keeps of a term or a member beyond its text, in characters. */
const ENTRY = 16;

const absoluteIri = /^[A-Za-z][A-Za-z0-9+.-]*:/;

/** Texts that other texts are resolved against, by their lengths: the longest absolute one and all relative ones. */
export interface Reach {
  readonly absolute: number;
  readonly relative: number;
}

/** What a context makes the parser do each time that it is applied. */
export interface AppliedContext {
  /** Characters of its terms and of what they expand to, those of contexts within it included. */
  readonly size: number;
  /** Texts that are resolved against the vocabulary or the base. */
  readonly resolved: number;
  /** How often the active context is copied. */
  readonly copies: number;
  readonly vocab: Reach;
  readonly base: Reach;
  /** Length of the default language. */
  readonly language: number;
}

export class ContextWeight implements AppliedContext {
  size = 0;
  resolved = 0;
  copies = 1;
  vocab: Reach = { absolute: 0, relative: 0 };
  base: Reach = { absolute: 0, relative: 0 };
  language = 0;
  /** The contexts of its terms, by the name of the term. */
  readonly scoped: (readonly [name: string, definition: ScopedContext])[] = [];

  constructor(context: unknown, terms: JsonLdTerms) {
    for (const local of listOf(context)) this.#addLocal(local, terms);
  }

  #addLocal(local: unknown, terms: JsonLdTerms): void {
    if (!isObject(local)) {
      this.copies++;
      return;
    }
    const { '@vocab': vocab, '@base': base, '@language': language } = local;
    if (typeof vocab === 'string') this.vocab = this.#resolve(this.vocab, vocab, terms);
    if (typeof base === 'string') this.base = this.#resolve(this.base, base, terms);
    if (typeof language === 'string') this.language = Math.max(this.language, language.length);
    if (local['@propagate'] === false) this.copies++;
    for (const [name, value] of termsOf(local)) this.#addTerm(name, value, terms);
  }

  #resolve(reach: Reach, text: string, terms: JsonLdTerms): Reach {
    this.resolved++;
    const length = text.length + terms.lengthOf(text);
    if (absoluteIri.test(text)) return { ...reach, absolute: Math.max(reach.absolute, length) };
    return { ...reach, relative: reach.relative + length };
  }

  #addTerm(name: string, value: unknown, terms: JsonLdTerms): void {
    this.size += ENTRY + name.length + sizeOf(value) + terms.lengthOf(name);
    if (!isObject(value)) {
      this.#count(value ?? name);
      return;
    }
    this.#count(value['@id'] ?? value['@reverse'] ?? name);
    this.#count(value['@type']);
    if (value['@context'] === undefined) return;
    const context = new ContextWeight(value['@context'], terms);
    this.scoped.push([name, { context, isMap: hasMap(value['@container']) }]);
    this.#include(context);
  }

  /** Counts a text that is no absolute or compact IRI. */
  #count(text: unknown): void {
    if (typeof text === 'string' && !text.includes(':')) this.resolved++;
  }

  /** The context of a term is processed whenever the term is defined. */
  #include(other: ContextWeight): void {
    this.size += other.size;
    this.resolved += other.resolved;
    this.copies += other.copies;
    this.vocab = joined(this.vocab, other.vocab);
    this.base = joined(this.base, other.base);
    this.language = Math.max(this.language, other.language);
    this.scoped.push(...other.scoped);
  }
}

export interface ScopedContext {
  readonly context: AppliedContext;
  /** The values of the term may be the members of an object. */
  readonly isMap: boolean;
}

/** At least as heavy as either. */
export function heavier(one: ScopedContext, other: ScopedContext): ScopedContext {
  const [a, b] = [one.context, other.context];
  const context = {
    size: Math.max(a.size, b.size),
    resolved: Math.max(a.resolved, b.resolved),
    copies: Math.max(a.copies, b.copies),
    vocab: longer(a.vocab, b.vocab),
    base: longer(a.base, b.base),
    language: Math.max(a.language, b.language),
  };
  return { context, isMap: one.isMap || other.isMap };
}

function longer(one: Reach, other: Reach): Reach {
  return {
    absolute: Math.max(one.absolute, other.absolute),
    relative: Math.max(one.relative, other.relative),
  };
}

export function joined(one: Reach, other: Reach): Reach {
  return {
    absolute: Math.max(one.absolute, other.absolute),
    relative: one.relative + other.relative,
  };
}

/** Containers that are objects: `@index`, `@id`, `@type`, `@language`. */
function hasMap(container: unknown): boolean {
  return listOf(container).some((kind) => typeof kind === 'string' && kind !== '@set' && kind !== '@list');
}

function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.entries(value).reduce((size, [key, part]) => size + ENTRY + key.length + sizeOf(part), 0);
}
