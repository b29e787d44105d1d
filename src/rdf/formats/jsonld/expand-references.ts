import { shorten } from '../../model/iri.ts';
import { resolveIri } from '../resolve-iri.ts';
import type { PreloadedContexts } from './preloaded-contexts.ts';
import { isObject, listOf } from './term-definitions.ts';

/** A context names another one that can't be put in its place. */
export class UnusableContextError extends Error {
  /** The reference in the document that leads to it. */
  readonly reference: string;

  constructor(reference: string, message: string) {
    super(message);
    this.reference = reference;
  }
}

/** Where a reference to a context stands. */
interface Place {
  /** IRI of the document or the context that contains it. */
  readonly base: string;
  /** The contexts that led to it, except through the context of a term. */
  readonly trail: readonly string[];
  /** How many contexts of terms may still be applied within one another. */
  readonly scopes: number;
}

/** What contexts are expanded with. */
export interface Expansion {
  readonly contexts: PreloadedContexts;
  /** IRI of the document. */
  readonly baseIri: string;
  /** How many contexts of terms the document can apply within one another. */
  readonly scopes: number;
  /** Called with the size of each context that takes the place of a reference. */
  readonly spend: (characters: number) => void;
}

/**
 * Puts preloaded contexts in the place of their IRIs, as the algorithms of JSON-LD 1.1 load them.
 */
export class ReferenceExpander {
  readonly #expansion: Expansion;
  /** The last reference in the document itself. */
  #reference = '';

  constructor(expansion: Expansion) {
    this.#expansion = expansion;
  }

  /** Returns a value of `@context` that names no other context. Throws `UnusableContextError`. */
  expand(context: unknown): unknown {
    const { baseIri: base, scopes } = this.#expansion;
    return this.#expanded(context, { base, trail: [], scopes });
  }

  #expanded(context: unknown, place: Place): unknown {
    const list = listOf(context);
    const [first] = list;
    if (list.length === 1 && typeof first === 'string') return this.#load(first, place);
    if (!Array.isArray(context)) return this.#local(context, place);
    return list.flatMap((each) =>
      typeof each === 'string' ? this.#loadInList(each, place) : [this.#local(each, place)],
    );
  }

  #load(reference: string, place: Place): unknown {
    const { trail, scopes } = place;
    const iri = this.#resolve(reference, place);
    if (trail.includes(iri)) this.#reject(`The context ${shorten(iri)} includes itself`);
    const expanded = this.#expanded(this.#find(iri, trail), { base: iri, trail: [...trail, iri], scopes });
    return Array.isArray(expanded) ? expanded.map(withoutBase) : withoutBase(expanded);
  }

  /** In a list `@propagate` has no effect, but in a context that the list names it has one. */
  #loadInList(reference: string, place: Place): readonly unknown[] {
    const loaded = this.#load(reference, place);
    if (isObject(loaded) && loaded['@propagate'] === false) {
      const iri = shorten(resolveIri(reference, place.base));
      this.#reject(`The context ${iri} has "@propagate": false, so it can't be one of several`);
    }
    return listOf(loaded);
  }

  #resolve(reference: string, { base }: Place): string {
    if (base === this.#expansion.baseIri) this.#reference = reference;
    return resolveIri(reference, base);
  }

  #find(iri: string, trail: readonly string[]): unknown {
    const { contexts, spend } = this.#expansion;
    const context = contexts.get(iri);
    if (!context) return this.#reject(unknownContext(iri, trail.at(-1)));
    spend(context.size);
    return context.value;
  }

  #local(context: unknown, place: Place): unknown {
    if (!isObject(context)) return context;
    const members = Object.entries(this.#withImport(context, place));
    return Object.fromEntries(members.map(([name, value]) => [name, this.#definition(value, place)]));
  }

  #withImport(context: Members, place: Place): Members {
    const { '@import': reference, ...own } = context;
    // The parser reports the error.
    if (typeof reference !== 'string') return context;
    const iri = this.#resolve(reference, place);
    const imported = this.#find(iri, place.trail);
    if (isObject(imported) && imported['@import'] === undefined) return { ...imported, ...own };
    return this.#reject(`The context ${shorten(iri)} can't be imported: it is a list, or imports one itself`);
  }

  /** The context of a term may name one that leads to the same term again. */
  #definition(definition: unknown, { base, scopes }: Place): unknown {
    if (!isObject(definition)) return definition;
    const { '@context': scoped } = definition;
    if (scoped === undefined) return definition;
    const isTooDeep = scopes === 0 && remoteIn(scoped) !== undefined;
    const place = { base, trail: [], scopes: Math.max(scopes - 1, 0) };
    return { ...definition, '@context': isTooDeep ? {} : this.#expanded(scoped, place) };
  }

  #reject(reason: string): never {
    throw new UnusableContextError(this.#reference, reason);
  }
}

type Members = Readonly<Record<string, unknown>>;

/** A base counts only in the document itself, and in contexts of terms. */
function withoutBase(context: unknown): unknown {
  if (!isObject(context)) return context;
  const { '@base': _, ...others } = context;
  return others;
}

function unknownContext(iri: string, named: string | undefined): string {
  const by = named === undefined ? '' : `, which ${shorten(named)} names`;
  return `Remote contexts are not fetched: ${shorten(iri)}${by}. Write the context into the document, or give it to the server: --context URL=FILE`;
}

/** Returns the first reference to another context in a value of `@context`. */
export function remoteIn(context: unknown): string | undefined {
  if (typeof context === 'string') return context;
  if (Array.isArray(context)) return firstOf(context.map(remoteIn));
  if (!isObject(context)) return undefined;
  const { '@import': imported } = context;
  return typeof imported === 'string' ? imported : firstOf(Object.values(context).map(remoteOfTerm));
}

/** A term may have a context of its own. */
function remoteOfTerm(definition: unknown): string | undefined {
  return isObject(definition) ? remoteIn(definition['@context']) : undefined;
}

function firstOf(found: readonly (string | undefined)[]): string | undefined {
  return found.find((each) => each !== undefined);
}
