import { isObject, listOf, termsOf } from './term-definitions.ts';

/* The work that contexts cause in the parser, in units of the budget. The factors were measured. */
/**
 * Processing a term, each member of its definition, and each character of its texts and of its IRI.
 */
const PROCESS_TERM = 28;
const PROCESS_MEMBER = 5;
const PROCESS_CHARACTER = 1 / 4;
/** Copying a term, a member of JSON, and a character of either. */
const COPY_TERM = 2;
const COPY_MEMBER = 1;
const COPY_CHARACTER = 1 / 64;
/**
 * For a context of null the parser searches the active context, which takes this part of the time
 * of a copy.
 */
const NULL_CONTEXT = 1 / 16;

const absoluteIri = /^[A-Za-z][A-Za-z0-9+.-]*:/;

/**
 * Texts that other texts are resolved against, by their lengths: the longest absolute one and all
 * relative ones.
 */
export interface Reach {
  readonly absolute: number;
  readonly relative: number;
}

/** The work of the parser each time that the context is applied. */
export interface AppliedContext {
  /** Units for processing the context itself. */
  readonly processing: number;
  /** Units that it adds to each copy of the active context. */
  readonly copying: number;
  /** How often the active context is copied. */
  readonly copies: number;
  /** Number of texts that are resolved against the vocabulary or the base. */
  readonly resolved: number;
  readonly vocab: Reach;
  readonly base: Reach;
  /** Length of the default language. */
  readonly language: number;
}

export interface ScopedContext {
  readonly context: AppliedContext;
  /** Whether the values of the term may be the members of an object. */
  readonly isMap: boolean;
}

const nothing: Reach = { absolute: 0, relative: 0 };

/** What the contexts of a document are weighed with. */
export interface Weighing {
  /** Returns the length to which a term, or the prefix of a compact IRI, expands. */
  lengthOf(text: string): number;
  /** Called with each context of a term, at all levels. */
  addScoped(name: string, scoped: ScopedContext): void;
  readonly sizes: JsonSizes;
}

/** The weight of a context, including those within it. */
export class ContextWeight implements AppliedContext {
  processing = 0;
  copying = 0;
  copies = 1;
  resolved = 0;
  vocab = nothing;
  base = nothing;
  language = 0;

  constructor(context: unknown, weighing: Weighing) {
    for (const local of listOf(context)) this.#addLocal(local, weighing);
  }

  #addLocal(local: unknown, weighing: Weighing): void {
    if (!isObject(local)) {
      this.copies += NULL_CONTEXT;
      return;
    }
    const { '@vocab': vocab, '@base': base, '@language': language } = local;
    if (typeof vocab === 'string') this.vocab = this.#resolve(this.vocab, vocab, weighing);
    if (typeof base === 'string') this.base = this.#resolve(this.base, base, weighing);
    if (typeof language === 'string') this.language = Math.max(this.language, language.length);
    if (local['@propagate'] === false) this.copies++;
    for (const [name, value] of termsOf(local)) this.#addTerm(name, value, weighing);
  }

  #resolve(reach: Reach, text: string, weighing: Weighing): Reach {
    this.resolved++;
    const length = text.length + weighing.lengthOf(text);
    if (absoluteIri.test(text)) return { ...reach, absolute: Math.max(reach.absolute, length) };
    return { ...reach, relative: reach.relative + length };
  }

  #addTerm(name: string, value: unknown, weighing: Weighing): void {
    const { members, characters } = weighing.sizes.of(value);
    const length = name.length + characters + weighing.lengthOf(name);
    this.processing += PROCESS_TERM + PROCESS_MEMBER * members + PROCESS_CHARACTER * length;
    this.copying += COPY_TERM + COPY_CHARACTER * length;
    if (!isObject(value)) {
      this.#count(value ?? name);
      return;
    }
    this.#count(value['@id'] ?? value['@reverse'] ?? name);
    this.#count(value['@type']);
    if (value['@context'] !== undefined) {
      const context = this.#addScoped(value['@context'], weighing);
      weighing.addScoped(name, { context, isMap: hasMap(value['@container']) });
    }
  }

  /** Counts a text that is neither an absolute or compact IRI nor a keyword. */
  #count(text: unknown): void {
    if (typeof text === 'string' && !text.includes(':') && !text.startsWith('@')) this.resolved++;
  }

  /**
   * The context of a term is kept as JSON. It is processed when the term is defined, and each time
   * it is used.
   */
  #addScoped(json: unknown, weighing: Weighing): AppliedContext {
    const context = new ContextWeight(json, weighing);
    const { members, characters } = weighing.sizes.of(json);
    const kept = COPY_MEMBER * members + COPY_CHARACTER * characters;
    context.processing += kept;
    this.processing += context.processing + kept;
    this.copying += context.copying + kept;
    this.copies += context.copies;
    this.resolved += context.resolved;
    this.vocab = joined(this.vocab, context.vocab);
    this.base = joined(this.base, context.base);
    this.language = Math.max(this.language, context.language);
    return context;
  }
}

/** Returns a context at least as heavy as either. */
export function heavier(one: ScopedContext, other: ScopedContext): ScopedContext {
  const [a, b] = [one.context, other.context];
  const context = {
    processing: Math.max(a.processing, b.processing),
    copying: Math.max(a.copying, b.copying),
    copies: Math.max(a.copies, b.copies),
    resolved: Math.max(a.resolved, b.resolved),
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

/** Returns the texts that apply if both do. */
export function joined(one: Reach, other: Reach): Reach {
  return { absolute: Math.max(one.absolute, other.absolute), relative: one.relative + other.relative };
}

/**
 * Returns the units of processing, and of copying, for texts that are resolved against a text of
 * that length.
 */
export function resolving(texts: number, length: number): Pick<AppliedContext, 'processing' | 'copying'> {
  return { processing: PROCESS_CHARACTER * texts * length, copying: COPY_CHARACTER * texts * length };
}

/** Whether the container is an object: `@index`, `@id`, `@type`, `@language`. */
function hasMap(container: unknown): boolean {
  return listOf(container).some((kind) => typeof kind === 'string' && kind !== '@set' && kind !== '@list');
}

interface JsonSize {
  /** At all levels. */
  readonly members: number;
  /** Of all keys and strings. */
  readonly characters: number;
}

/**
 * Counts JSON values. The contexts of terms are nested and counted at each level, so their sizes
 * are kept.
 */
export class JsonSizes {
  readonly #contexts = new WeakMap<object, JsonSize>();

  of(value: unknown): JsonSize {
    if (typeof value === 'string') return { members: 0, characters: value.length };
    if (typeof value !== 'object' || value === null) return { members: 0, characters: 0 };
    return this.#contexts.get(value) ?? this.#count(value);
  }

  #count(value: object): JsonSize {
    let members = 0;
    let characters = 0;
    for (const [key, part] of Object.entries(value)) {
      const size = this.of(part);
      if (key === '@context' && typeof part === 'object' && part !== null) this.#contexts.set(part, size);
      members += 1 + size.members;
      characters += key.length + size.characters;
    }
    return { members, characters };
  }
}
