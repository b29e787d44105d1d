import { isObject } from './term-definitions.ts';

/**
 * Returns the keys whose values may be JSON literals, which are data: `@value`, terms of the type
 * `@json`, and their aliases.
 */
export function literalKeys(contexts: Iterable<unknown>): ReadonlySet<string> {
  const terms = new Terms();
  for (const context of contexts) terms.collect(context);
  const types = terms.aliasesOf('@json');
  const keys = terms.aliasesOf('@value');
  for (const [name, type] of terms.types) if (types.has(type)) keys.add(name);
  return keys;
}

/** The terms at all levels of contexts. */
class Terms {
  readonly types: (readonly [name: string, type: string])[] = [];
  /** Names of terms, by the text that they stand for. */
  readonly #names = new Map<string, Set<string>>();

  collect(value: unknown): void {
    if (Array.isArray(value)) {
      for (const each of value) this.collect(each);
    }
    if (!isObject(value)) return;
    for (const [name, definition] of Object.entries(value)) {
      if (typeof definition === 'string') this.#addName(name, definition);
      else this.collect(definition);
      if (!isObject(definition)) continue;
      const { '@id': id, '@type': type } = definition;
      if (typeof id === 'string') this.#addName(name, id);
      if (typeof type === 'string') this.types.push([name, type]);
    }
  }

  /** Returns a keyword and all names that lead to it. */
  aliasesOf(keyword: string): Set<string> {
    const aliases = new Set([keyword]);
    for (const alias of aliases) for (const name of this.#names.get(alias) ?? []) aliases.add(name);
    return aliases;
  }

  #addName(name: string, text: string): void {
    const names = this.#names.get(text);
    if (names) names.add(name);
    else this.#names.set(text, new Set([name]));
  }
}
