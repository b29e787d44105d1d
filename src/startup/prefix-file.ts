import { type Prefixes, serverPrefixes } from '../rdf/model/namespaces.ts';
import type { FixedPrefixes } from '../services/prefixes/service.ts';

type Pairs = Iterable<readonly [prefix: string, namespace: string]>;

/**
 * Returns the prefixes that programs need not declare, with their namespaces (http-api 4.9), beside
 * those that are stored. `base` must end without a slash. Pairs in `given` take precedence.
 */
export function prefixTable(base: string, given: Pairs): Prefixes {
  const { builtIn, settings } = fixedTable(base, given);
  return { ...builtIn, ...settings };
}

/** Returns them by their source. `given`: those of the settings. */
export function fixedTable(base: string, given: Pairs): FixedPrefixes {
  const ofServer = { local: `${base}/resource/`, context: `${base}/context/` };
  return { builtIn: { ...serverPrefixes, ...ofServer }, settings: Object.fromEntries(given) };
}
