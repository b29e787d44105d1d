import { useEffect, useState } from 'preact/hooks';
import { requestServer } from '../app/request.ts';

/** Namespaces by their prefixes. */
export type Namespaces = Readonly<Record<string, string>>;

/** Names of namespaces, as the server has them. */
export class Prefixes {
  readonly namespaces: Namespaces;
  readonly #prefixes: ReadonlyMap<string, string>;

  constructor(namespaces: Namespaces) {
    this.namespaces = namespaces;
    // If several prefixes have one namespace, the first one is used.
    const entries = Object.entries(namespaces).toReversed();
    this.#prefixes = new Map(entries.map(([prefix, namespace]) => [namespace, prefix]));
  }

  /** Returns a prefixed name where there is one, otherwise the IRI. */
  shorten(iri: string): string {
    const end = Math.max(iri.lastIndexOf('#'), iri.lastIndexOf('/')) + 1;
    const prefix = this.#prefixes.get(iri.slice(0, end));
    return prefix !== undefined && end < iri.length ? `${prefix}:${iri.slice(end)}` : iri;
  }

  /** Returns the IRI of a prefixed name, and other texts as they are. */
  expand(name: string): string {
    const colon = name.indexOf(':');
    const prefix = name.slice(0, colon);
    return colon < 0 || !Object.hasOwn(this.namespaces, prefix) || name.startsWith('//', colon + 1)
      ? name
      : this.namespaces[prefix] + name.slice(colon + 1);
  }
}

const none = new Prefixes({});
let loading: Promise<Prefixes> | undefined;
let known = none;

/** Returns the prefixes of the server. Without them, names are written in full: no error. */
export function loadPrefixes(): Promise<Prefixes> {
  loading ??= load().catch(() => {
    // The next caller tries again.
    loading = undefined;
    return none;
  });
  return loading;
}

/** Returns the prefixes for names in data: all but that of LDPath's functions. */
export async function serverNamespaces(): Promise<Namespaces> {
  const { fn: _, ...namespaces } = (await loadPrefixes()).namespaces;
  return namespaces;
}

/** Returns the prefixes of the server; none until they are loaded, which happens once. */
export function usePrefixes(): Prefixes {
  const [prefixes, setPrefixes] = useState(known);
  useEffect(() => {
    if (known === none) void loadPrefixes().then(setPrefixes);
  }, []);
  return prefixes;
}

async function load(): Promise<Prefixes> {
  const response = await requestServer('ldpath/util/namespaces');
  known = new Prefixes((await response.json()) as Namespaces);
  return known;
}
