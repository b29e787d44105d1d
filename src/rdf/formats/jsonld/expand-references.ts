import { shorten } from '../../model/iri.ts';
import { resolveIri } from '../resolve-iri.ts';
import type { NamePlaces } from './name-places.ts';
import type { PreloadedContexts } from './preloaded-contexts.ts';
import { isObject, listOf } from './term-definitions.ts';

/**
 * How often references may lead to one another through terms. Deeper contexts would be nested too
 * deeply for the parser.
 */
const MAX_LEVELS = 64;
/** Depth of a context that is never applied. */
const NOWHERE = Number.POSITIVE_INFINITY;

/** A context names another one that can't be put in its place. */
export class UnusableContextError extends Error {
  readonly code: 'remote-context' | 'too-large';
  /** The reference in the document that leads to it. */
  readonly reference: string;

  constructor(code: UnusableContextError['code'], reference: string, message: string) {
    super(message);
    this.code = code;
    this.reference = reference;
  }
}

/** Where a reference to a context stands. */
interface Place {
  /** IRI of the document or the context that contains it. */
  readonly base: string;
  /** The contexts that led to it, except through the context of a term. */
  readonly trail: readonly string[];
  /** Least depth in the document at which the context applies, as in `NamePlaces`. */
  readonly depth: number;
  /** How many contexts of terms contain it. */
  readonly levels: number;
}

interface LoadedContext {
  readonly context: unknown;
  /** Characters, including those of the contexts that it names. */
  readonly size: number;
}

/** What contexts are expanded with. */
export interface Expansion {
  readonly contexts: PreloadedContexts;
  /** IRI of the document. */
  readonly baseIri: string;
  /** Where the terms of preloaded contexts occur in the document. */
  readonly places: NamePlaces;
  /**
   * Called for each context that takes the place of a reference. The total is the size of the
   * contexts as JSON.
   */
  readonly spend: (characters: number) => void;
}

/**
 * Puts preloaded contexts in the place of their IRIs, as the algorithms of JSON-LD 1.1 load them.
 * The context of a term may lead to the same term again, so it is expanded only for terms that
 * occur in the document, and as deep as they do.
 */
export class ReferenceExpander {
  readonly #expansion: Expansion;
  /** The last reference in the document itself. */
  #reference = '';
  /** By depth, levels and IRI. */
  readonly #loaded = new Map<string, LoadedContext>();
  /** IRIs of contexts that were loaded at any depth. */
  readonly #seen = new Set<string>();
  #spent = 0;

  constructor(expansion: Expansion) {
    this.#expansion = expansion;
  }

  /** Returns a value of `@context` that names no other context. Throws `UnusableContextError`. */
  expand(context: unknown): unknown {
    return this.#expanded(context, { base: this.#expansion.baseIri, trail: [], depth: 0, levels: 0 });
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
    const { trail, depth, levels } = place;
    const iri = this.#resolve(reference, place);
    if (trail.includes(iri)) this.#reject(`The context ${shorten(iri)} includes itself`);
    const isTooDeep = levels > MAX_LEVELS;
    // The parser checks contexts that are never applied, too, but once is enough.
    if (depth === NOWHERE && (isTooDeep || this.#seen.has(iri))) return {};
    if (isTooDeep) this.#rejectDepth(iri);
    this.#seen.add(iri);
    const key = `${depth} ${levels} ${iri}`;
    const loaded = this.#loaded.get(key);
    if (loaded) this.#spend(loaded.size);
    const { context } = loaded ?? this.#loadNew(key, iri, place);
    return context;
  }

  #loadNew(key: string, iri: string, place: Place): LoadedContext {
    const { trail } = place;
    const before = this.#spent;
    const expanded = this.#expanded(this.#find(iri, trail), { ...place, base: iri, trail: [...trail, iri] });
    const context = Array.isArray(expanded) ? expanded.map(withoutBase) : withoutBase(expanded);
    const loaded = { context, size: this.#spent - before };
    this.#loaded.set(key, loaded);
    return loaded;
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
    const context = this.#expansion.contexts.get(iri);
    if (!context) return this.#reject(unknownContext(iri, trail.at(-1)));
    this.#spend(context.size);
    return context.value;
  }

  #spend(characters: number): void {
    this.#spent += characters;
    this.#expansion.spend(characters);
  }

  #local(context: unknown, place: Place): unknown {
    if (!isObject(context)) return context;
    const members = Object.entries(this.#withImport(context, place));
    return Object.fromEntries(members.map(([name, value]) => [name, this.#definition(name, value, place)]));
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

  #definition(name: string, definition: unknown, { base, depth, levels }: Place): unknown {
    if (!isObject(definition)) return definition;
    const { '@context': scoped } = definition;
    if (scoped === undefined) return definition;
    const below = this.#expansion.places.below(depth, name) ?? NOWHERE;
    const place = { base, trail: [], depth: below, levels: levels + 1 };
    return { ...definition, '@context': this.#expanded(scoped, place) };
  }

  #reject(reason: string): never {
    throw new UnusableContextError('remote-context', this.#reference, reason);
  }

  #rejectDepth(iri: string): never {
    const reason = `Through terms that occur within one another, the context ${shorten(iri)} is named at more than ${MAX_LEVELS} levels: nest the document less deeply, or write the context into it`;
    throw new UnusableContextError('too-large', this.#reference, reason);
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
