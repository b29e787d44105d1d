import { isObject } from './term-definitions.ts';

/** Types of terms whose values are not JSON literals; other keywords may be aliases. */
const notJson: ReadonlySet<string> = new Set(['@id', '@vocab', '@none']);

/**
 * The keys whose values may be JSON literals, which are data: `@value`, terms of the type `@json`,
 * and their aliases.
 */
export class LiteralKeys {
  readonly #types: (readonly [name: string, type: string])[] = [];
  /** Names of terms, by the text that they stand for. */
  readonly #names = new Map<string, Set<string>>();

  /** Adds the terms at all levels of a context. */
  add(context: unknown): void {
    if (Array.isArray(context)) {
      for (const each of context) this.add(each);
    }
    if (!isObject(context)) return;
    for (const [name, definition] of Object.entries(context)) {
      this.#addName(name, definition);
      if (!isObject(definition)) continue;
      const { '@id': id, '@type': type, '@context': scoped } = definition;
      this.#addName(name, id);
      if (typeof type === 'string' && !notJson.has(type) && !type.includes(':')) {
        this.#types.push([name, type]);
      }
      this.add(scoped);
    }
  }

  all(): ReadonlySet<string> {
    const types = this.#aliasesOf('@json');
    const keys = this.#aliasesOf('@value');
    for (const [name, type] of this.#types) if (types.has(type)) keys.add(name);
    return keys;
  }

  /** Only a text without a colon may be another term; others need not be kept. */
  #addName(name: string, text: unknown): void {
    if (typeof text !== 'string' || text.includes(':')) return;
    const names = this.#names.get(text);
    if (names) names.add(name);
    else this.#names.set(text, new Set([name]));
  }

  /** Returns a keyword and all names that lead to it. */
  #aliasesOf(keyword: string): Set<string> {
    const aliases = new Set([keyword]);
    for (const alias of aliases) for (const name of this.#names.get(alias) ?? []) aliases.add(name);
    return aliases;
  }
}
