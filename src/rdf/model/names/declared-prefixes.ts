import { isIri } from '../iri.ts';
import { nameCharacters, nameStarts } from './characters.ts';

/** The most prefixes that are remembered for a document or a graph. */
const MAX_PREFIXES = 100;
/** In characters. */
const MAX_NAME = 32;
const MAX_NAMESPACE = 512;

/** `PN_PREFIX` of Turtle, or the empty prefix. Each of these names is an `NCName` of XML, too. */
const prefixName = new RegExp(`^(?:[${nameStarts}](?:[.${nameCharacters}]*[${nameCharacters}])?)?$`, 'u');

/** Whether a text is `PN_PREFIX` of Turtle, or empty. */
export function isPrefixName(text: string): boolean {
  return prefixName.test(text);
}

/**
 * The prefixes that a document declares. Those beyond the limits, and those that not every format
 * can express, are left out (http-api G-56).
 */
export class DeclaredPrefixes {
  readonly #namespaces = new Map<string, string>();

  /** A later declaration of the same name replaces the earlier one. */
  declare(name: string, namespace: string): void {
    const isNew = !this.#namespaces.has(name);
    if (isNew && this.#namespaces.size >= MAX_PREFIXES) return;
    if (isAllowed(name, namespace)) this.#namespaces.set(name, namespace);
    // The earlier declaration is not what the document means from here on.
    else if (!isNew) this.#namespaces.delete(name);
  }

  /** One line per prefix, with its name and namespace; empty without prefixes. */
  get text(): string {
    return Array.from(this.#namespaces, ([name, namespace]) => `${name} ${namespace}`).join('\n');
  }

  /** The member of a `QuadBlock`. */
  get ofBlock(): { readonly prefixes?: string } {
    return this.#namespaces.size > 0 ? { prefixes: this.text } : {};
  }
}

function isAllowed(name: string, namespace: string): boolean {
  if (name.length > MAX_NAME || namespace.length > MAX_NAMESPACE) return false;
  return isPrefixName(name) && isIri(namespace);
}

/**
 * Returns the prefixes in a text of `DeclaredPrefixes`. Lines that are not in its form are left
 * out, since the text may come from a file.
 */
export function readPrefixes(text: string): (readonly [name: string, namespace: string])[] {
  const pairs = text.split('\n', MAX_PREFIXES).map((line) => {
    const [name = '', namespace = ''] = line.split(' ');
    return [name, namespace] as const;
  });
  return pairs.filter(([name, namespace]) => isAllowed(name, namespace));
}

/** Returns the text with the prefixes of another one, except those whose names it already has. */
export function mergedPrefixes(text: string, more: string): string {
  if (text === '' || text === more) return more;
  const merged = new DeclaredPrefixes();
  const known = readPrefixes(text);
  const names = new Set(known.map(([name]) => name));
  for (const [name, namespace] of known) merged.declare(name, namespace);
  for (const [name, namespace] of readPrefixes(more)) {
    if (!names.has(name)) merged.declare(name, namespace);
  }
  return merged.text;
}
