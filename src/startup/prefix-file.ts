import { serverPrefixes } from '../rdf/model/namespaces.ts';

/**
 * Returns the prefixes that programs need not declare, with their namespaces (http-api 4.9). `base`
 * must end without a slash. Pairs in `given` take precedence.
 */
export function prefixTable(
  base: string,
  given: Iterable<readonly [prefix: string, namespace: string]>,
): Readonly<Record<string, string>> {
  return {
    ...serverPrefixes,
    local: `${base}/resource/`,
    context: `${base}/context/`,
    ...Object.fromEntries(given),
  };
}
