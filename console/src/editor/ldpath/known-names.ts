import type { FunctionDescription } from '../../../../src/library/client/entry.ts';
import { client } from '../../app/client.ts';
import { requestServer } from '../../app/request.ts';
import type { Namespaces } from '../../resources/prefixes.ts';

/** What the server answers an editor that completes a text (http-api 4.6, 4.7). */
type UtilityPath = 'complete' | 'path';

const DECLARATION = /@prefix\s+([^\s:<>;]*)\s*:\s*<([^\s<>]*)>/g;

let functions: Promise<readonly FunctionDescription[]> | undefined;

export function knownFunctions(): Promise<readonly FunctionDescription[]> {
  functions ??= client.ldpath.functions();
  functions.catch(() => {
    functions = undefined;
  });
  return functions;
}

/** Returns the prefixes that a program declares; of several declarations the last one. */
export function declaredNamespaces(program: string): Namespaces {
  return Object.fromEntries(
    [...program.matchAll(DECLARATION)].map(([, prefix, namespace]) => [prefix!, namespace!]),
  );
}

export function namespaceParameters(declared: Namespaces): [string, string][] {
  const absolute = Object.entries(declared).filter(([, namespace]) => URL.canParse(namespace));
  return absolute.map(([prefix, namespace]) => [`ns_${prefix}`, namespace]);
}

export async function askUtility<T>(
  path: UtilityPath,
  parameters: readonly (readonly [string, string])[],
  signal?: AbortSignal,
): Promise<T> {
  const query = new URLSearchParams(parameters.map(([name, value]) => [name, value]));
  const response = await requestServer(`ldpath/util/${path}?${query}`, signal ? { signal } : {});
  return (await response.json()) as T;
}

/** Abbreviates an IRI with the longest namespace that fits; returns it as it is if none does. */
export function shortened(iri: string, known: Namespaces): string {
  const [prefix, namespace] = Object.entries(known).reduce(
    (best, each) => (iri.startsWith(each[1]) && each[1].length > best[1].length ? each : best),
    ['', ''] as [string, string],
  );
  const local = iri.slice(namespace.length);
  return namespace !== '' && /^[\p{L}\p{N}_][\p{L}\p{N}_.-]*$/u.test(local) ? `${prefix}:${local}` : iri;
}

/** Returns the IRI that a prefixed name stands for, or undefined for an unknown prefix. */
export function expanded(name: string, known: Namespaces): string | undefined {
  const colon = name.indexOf(':');
  const prefix = name.slice(0, colon);
  return colon >= 0 && Object.hasOwn(known, prefix) ? known[prefix] + name.slice(colon + 1) : undefined;
}
