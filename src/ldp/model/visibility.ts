import { type IriPatterns, matchesPatterns } from '../../rdf/model/resources/iri-patterns.ts';
import { describedBy, isReserved } from './names.ts';

/**
 * Whether a client sees the LDP resource with a URI (http-api G-163). A description is about its
 * binary, so it is hidden with it.
 */
export function showsLdp(visible: IriPatterns | undefined, uri: string): boolean {
  if (visible === undefined) return true;
  if (!matchesPatterns(visible, uri)) return false;
  return !isReserved(uri) || matchesPatterns(visible, describedBy(uri));
}
