import { RdfError } from '../errors.ts';

/**
 * The longest chain of terms that are defined by one another (`"a": "b:x", "b": "c:y"` and so on).
 */
const MAX_CHAIN = 16;

type Members = Readonly<Record<string, unknown>>;

/**
 * A term as one context defines it: the length of its text, and the name whose expansion precedes
 * it.
 */
interface Definition {
  readonly name: string;
  readonly prefix: string;
  readonly length: number;
}

/** The terms that the contexts of a document define, and the lengths of their IRIs. */
export class JsonLdTerms {
  readonly #lengths = new Map<string, number>();
  /** Definitions that may have another term as their prefix. */
  readonly #chained: Definition[] = [];
  /** Length of the longest IRI of a term. */
  longest = 0;

  /** Adds the definitions of a context, including those of nested contexts. */
  add(context: unknown): void {
    for (const local of listOf(context)) {
      for (const [name, value] of termsOf(local)) this.#define(name, value);
    }
  }

  /** Call it when all contexts are known. Throws `too-large` if a chain of terms is too long. */
  settle(): void {
    const chained = this.#chained.filter(({ prefix }) => this.#lengths.has(prefix));
    for (let round = 0; this.#prolong(chained); round++) {
      if (round === MAX_CHAIN) {
        const message = `More than ${MAX_CHAIN} terms of a context form a chain of definitions`;
        throw new RdfError('too-large', message, { source: 'body' });
      }
    }
  }

  /**
   * Returns the length to which a term, or the prefix of a compact IRI, expands; 0 for other texts.
   */
  lengthOf(text: string): number {
    return this.#lengths.get(text) ?? this.#lengths.get(prefixOf(text)) ?? 0;
  }

  #define(name: string, value: unknown): void {
    if (!isObject(value)) {
      this.#note(name, typeof value === 'string' ? value : name);
      return;
    }
    this.#note(name, name);
    for (const [key, text] of Object.entries(value)) {
      if (key === '@context') this.add(text);
      else if (typeof text === 'string') this.#note(name, text);
    }
  }

  #note(name: string, text: string): void {
    this.#set(name, text.length);
    const prefix = prefixOf(text);
    if (prefix !== name) this.#chained.push({ name, prefix, length: text.length });
  }

  /** Returns whether a length has changed. */
  #prolong(chained: readonly Definition[]): boolean {
    let changed = false;
    for (const { name, prefix, length } of chained) {
      changed = this.#set(name, length + this.#lengths.get(prefix)!) || changed;
    }
    return changed;
  }

  #set(name: string, length: number): boolean {
    const known = this.#lengths.get(name);
    if (known !== undefined && known >= length) return false;
    this.#lengths.set(name, length);
    this.longest = Math.max(this.longest, length);
    return true;
  }
}

/** Returns the text up to the first colon; a text without a colon may be a term itself. */
export function prefixOf(text: string): string {
  const colon = text.indexOf(':');
  return colon < 0 ? text : text.slice(0, colon);
}

export function listOf(context: unknown): readonly unknown[] {
  return Array.isArray(context) ? context : [context];
}

/** Returns the definitions of a context without keywords. */
export function termsOf(local: unknown): readonly (readonly [string, unknown])[] {
  if (!isObject(local)) return [];
  return Object.entries(local).filter(([name]) => !name.startsWith('@') || name === '@type');
}

export function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
