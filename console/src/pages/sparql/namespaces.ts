import { loadPrefixes } from '../../resources/prefixes.ts';

export type Namespaces = Readonly<Record<string, string>>;

/** Returns the prefixes that the server knows, but that of LDPath's functions. */
export async function serverNamespaces(): Promise<Namespaces> {
  const { fn: _, ...namespaces } = Object.fromEntries((await loadPrefixes()).namespaces);
  return namespaces;
}
