import { RdfError } from './errors.ts';

/** How many terms may stand one upon another (`"a": "b:x", "b": "c:y"` and so on). */
const MAX_CHAIN = 16;

type Members = Readonly<Record<string, unknown>>;

/** A term as one context defines it: a text, and the name whose expansion is put before it. */
interface Definition {
  readonly name: string;
  readonly prefix: string;
  readonly length: number;
}

/** The terms that the contexts of a document define, and how long the IRIs are that they stand for. */
export class JsonLdTerms {
  readonly #lengths = new Map<string, number>();
  /** Those that may have another term as their prefix. */
  readonly #chained: Definition[] = [];
  /** The longest IRI that a term stands for. */
  longest = 0;

  /** Takes in the definitions of a context, those of contexts within it included. */
  add(context: unknown): void {
    for (const local of listOf(context)) {
      for (const [name, value] of termsOf(local)) this.#define(name, value);
    }
  }

  /** To be called when all contexts are known. Throws `too-large` when too many terms stand one upon another. */
  settle(): void {
    const chained = this.#chained.filter(({ prefix }) => this.#lengths.has(prefix));
    for (let round = 0; this.#prolong(chained); round++) {
      if (round === MAX_CHAIN) {
        const message = `More than ${MAX_CHAIN} terms of a context are defined one upon another`;
        throw new RdfError('too-large', message, { source: 'body' });
      }
    }
  }

  /** What a term, or the prefix of a compact IRI, expands to; 0 for any other text. */
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

  /** Whether any length has changed. */
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

/** Up to the first colon; a text without a colon may be a term itself. */
export function prefixOf(text: string): string {
  const colon = text.indexOf(':');
  return colon < 0 ? text : text.slice(0, colon);
}

export function listOf(context: unknown): readonly unknown[] {
  return Array.isArray(context) ? context : [context];
}

/** What a context defines but keywords. */
export function termsOf(local: unknown): readonly (readonly [string, unknown])[] {
  if (!isObject(local)) return [];
  return Object.entries(local).filter(([name]) => !name.startsWith('@') || name === '@type');
}

export function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
