import {
  CLOSE_LIST,
  CLOSE_OBJECT,
  COMMA,
  endOfString,
  endOfValue,
  OPEN_LIST,
  OPEN_OBJECT,
  parseSlice,
  QUOTE,
  skipSpace,
} from '../../../base/json/bytes.ts';
import { RdfError } from '../errors.ts';
import { positionOfByte } from '../position.ts';
import { UnfoldingBudget } from '../unfolding-budget.ts';
import { findContexts, jsonAt } from './find-contexts.ts';
import { JsonLdTerms } from './term-definitions.ts';
import {
  type AppliedContext,
  ContextWeight,
  heavier,
  joined,
  type Reach,
  resolving,
  type ScopedContext,
} from './weight.ts';

/*
 * The work of the parser, in units of the budget: about 50 nanoseconds, or a character of the base
 * that an IRI is resolved against. The factors were measured.
 */
/** A character of the vocabulary or of the language that is combined with a text. */
const VOCABULARY = 1 / 4;
/** A character of a term's IRI, or of a key. */
const TERM = 1 / 8;
/**
 * A value in an object: each object keeps its values until it ends, and then processes them once
 * more.
 */
const LEVEL = 5;
/**
 * Granted to every document: a quarter of a minute. In real data a context of some thousand terms
 * is often copied many times.
 */
const LEAST_UNITS = 256 * 1024 * 1024;
/** If no term's IRI is longer than this, every string is counted as if it had the longest one. */
const SHORT = 128;

export interface WorkOptions {
  readonly baseIri: string;
  readonly brief?: boolean | undefined;
  /** Size of the document as it was sent, by which the work is limited. */
  readonly documentBytes: number;
}

/**
 * Rejects JSON-LD that would keep the parser busy without limit. Each use of a context takes the
 * parser time that grows with the active contexts, so small documents could take hours. This
 * function adds up the work for all uses. The document must have passed `checkJsonDepth`. Throws
 * `too-large` with a position.
 */
export function checkJsonLd(bytes: Uint8Array, options: WorkOptions): void {
  const terms = new JsonLdTerms();
  const slices = findContexts(bytes);
  for (const slice of slices.values()) terms.add(jsonAt(bytes, slice));
  terms.settle();
  const { baseIri, brief, documentBytes } = options;
  const check = new WorkCheck(bytes, terms, new UnfoldingBudget(documentBytes, brief, LEAST_UNITS));
  for (const [object, slice] of slices) check.addContext(object, jsonAt(bytes, slice));
  check.check(baseIri);
}

/** The settings that are in force at one place in the document. */
interface Scope {
  /** Units for copying the active context. */
  readonly copying: number;
  readonly vocab: Reach;
  readonly base: Reach;
  readonly language: number;
}

/** The key of a value, if its values cause work. */
interface Property {
  /** Characters that are copied for each value. */
  readonly length: number;
  readonly scoped: ScopedContext | undefined;
}

const noProperty: Property = { length: 0, scoped: undefined };

class WorkCheck {
  readonly #bytes: Uint8Array;
  readonly #terms: JsonLdTerms;
  readonly #budget: UnfoldingBudget;
  readonly #contexts = new Map<number, ContextWeight>();
  readonly #scoped = new Map<string, ScopedContext>();
  #depth = 0;

  constructor(bytes: Uint8Array, terms: JsonLdTerms, budget: UnfoldingBudget) {
    this.#bytes = bytes;
    this.#terms = terms;
    this.#budget = budget;
  }

  /** `object` is the offset of the object that the context belongs to. */
  addContext(object: number, context: unknown): void {
    const weight = new ContextWeight(context, this.#terms);
    this.#contexts.set(object, weight);
    for (const [name, scoped] of weight.scoped) {
      const known = this.#scoped.get(name);
      this.#scoped.set(name, known ? heavier(known, scoped) : scoped);
    }
  }

  check(baseIri: string): void {
    const start = this.#bytes.findIndex((byte) => byte === OPEN_OBJECT || byte === OPEN_LIST);
    const base = { absolute: baseIri.length, relative: 0 };
    const scope = { copying: 0, vocab: { absolute: 0, relative: 0 }, base, language: 0 };
    if (start >= 0) this.#value(start, scope, noProperty);
  }

  /** Returns the offset after the value and its white space. */
  #value(at: number, scope: Scope, property: Property): number {
    this.#spend(LEVEL * this.#depth + TERM * property.length, at);
    const byte = this.#bytes[at];
    if (byte === OPEN_LIST) return this.#list(at, scope, property);
    if (property.scoped) this.#apply(property.scoped.context, scope, at);
    if (byte === OPEN_OBJECT) return this.#object(at, scope, property);
    if (byte === QUOTE) return this.#string(at, scope);
    return endOfValue(this.#bytes, at);
  }

  #list(start: number, scope: Scope, property: Property): number {
    const bytes = this.#bytes;
    let at = skipSpace(bytes, start + 1);
    // The context of a key that is an alias of `@nest` is applied even to an empty list.
    if (bytes[at] === CLOSE_LIST && property.scoped) this.#apply(property.scoped.context, scope, start);
    while (at < bytes.length && bytes[at] !== CLOSE_LIST) {
      at = this.#value(at, scope, property);
      if (bytes[at] === COMMA) at = skipSpace(bytes, at + 1);
    }
    return skipSpace(bytes, at + 1);
  }

  #object(start: number, outer: Scope, property: Property): number {
    const bytes = this.#bytes;
    const context = this.#contexts.get(start);
    const scope = context ? this.#apply(context, outer, start) : outer;
    const inherited = property.scoped?.isMap ? property : noProperty;
    this.#depth++;
    let at = skipSpace(bytes, start + 1);
    while (bytes[at] === QUOTE) at = this.#member(at, scope, inherited);
    this.#depth--;
    return skipSpace(bytes, bytes[at] === CLOSE_OBJECT ? at + 1 : bytes.length);
  }

  /** Returns the offset of the next key, or of the end of the object. */
  #member(start: number, scope: Scope, inherited: Property): number {
    const bytes = this.#bytes;
    const end = endOfString(bytes, start);
    const value = skipSpace(bytes, skipSpace(bytes, end) + 1);
    const property = this.#key(start, end, scope);
    const at = isContext(bytes, start, end)
      ? endOfValue(bytes, value)
      : this.#value(value, scope, inherited.scoped ? inherited : property);
    return bytes[at] === COMMA ? skipSpace(bytes, at + 1) : at;
  }

  #key(start: number, end: number, scope: Scope): Property {
    const { vocab } = scope;
    this.#spend(LEVEL * this.#depth + VOCABULARY * (vocab.absolute + vocab.relative), start);
    const text = this.#textIfNeeded(start, end);
    if (text === undefined)
      return end - start > SHORT ? { length: end - start, scoped: undefined } : noProperty;
    const term = this.#terms.lengthOf(text);
    this.#spend(TERM * term, start);
    const scoped = this.#scoped.get(text);
    return { length: text.length + term, scoped };
  }

  #string(start: number, scope: Scope): number {
    const { vocab, base, language } = scope;
    const end = endOfString(this.#bytes, start);
    const units = base.absolute + base.relative + VOCABULARY * (vocab.absolute + vocab.relative + language);
    this.#spend(units, start);
    const text = this.#textIfNeeded(start, end);
    if (text !== undefined) {
      this.#spend(TERM * this.#terms.lengthOf(text), start);
      const type = this.#scoped.get(text);
      if (type) this.#apply(type.context, scope, start, 1);
    }
    return skipSpace(this.#bytes, end);
  }

  /** Returns the text of a string if its content matters. */
  #textIfNeeded(start: number, end: number): string | undefined {
    if (this.#scoped.size === 0 && this.#terms.longest <= SHORT) {
      this.#spend(TERM * this.#terms.longest, start);
      return undefined;
    }
    try {
      return String(parseSlice(this.#bytes, start, end));
    } catch {
      return '';
    }
  }

  /**
   * Returns the settings within an object to which a context is applied. The context of a type
   * requires one more copy.
   */
  #apply(context: AppliedContext, outer: Scope, at: number, copies = 0): Scope {
    const vocab = joined(outer.vocab, context.vocab);
    const base = joined(outer.base, context.base);
    const language = Math.max(outer.language, context.language);
    const prefix = vocab.absolute + vocab.relative + base.absolute + base.relative;
    const resolved = resolving(context.resolved, prefix);
    const copying = outer.copying + context.copying + resolved.copying;
    this.#spend(context.processing + resolved.processing + (context.copies + copies) * copying, at);
    return { copying, vocab, base, language };
  }

  #spend(units: number, at: number): void {
    if (this.#budget.covers(units)) return;
    const message = 'The document expands to too much: contexts that are long or often used, or deep nesting';
    throw new RdfError('too-large', message, { source: 'body', ...positionOfByte(this.#bytes, at) });
  }
}

const contextKey = Buffer.from('"@context"');

/**
 * Contexts have been weighed already. A context whose key is written with escapes is counted twice.
 */
function isContext(bytes: Uint8Array, start: number, end: number): boolean {
  return (
    end - start === contextKey.length && contextKey.every((byte, index) => bytes[start + index] === byte)
  );
}
