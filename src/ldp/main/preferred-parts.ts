import type { LdpParts } from '../../pool/messages.ts';
import { ldp } from '../model/vocabulary.ts';

/** The IRIs that a client's preference names. */
export interface Preference {
  readonly include: readonly string[];
  readonly omit: readonly string[];
}

export const allParts: LdpParts = { minimal: true, containment: true, membership: true };

const partNames: ReadonlyMap<string, keyof LdpParts> = new Map([
  [ldp.PreferMinimalContainer, 'minimal'],
  [ldp.PreferEmptyContainer, 'minimal'],
  [ldp.PreferContainment, 'containment'],
  [ldp.PreferMembership, 'membership'],
]);

/**
 * Returns the parts that a preference asks for (http-api 5.5); undefined if it names no known part.
 */
export function preferredParts({ include, omit }: Preference): LdpParts | undefined {
  const wanted = knownParts(include);
  const unwanted = knownParts(omit);
  if (wanted.size + unwanted.size === 0) return undefined;
  const isSent = (part: keyof LdpParts) =>
    (wanted.size === 0 || part === 'minimal' || wanted.has(part)) && !unwanted.has(part);
  return {
    minimal: isSent('minimal'),
    containment: isSent('containment'),
    membership: isSent('membership'),
  };
}

function knownParts(iris: readonly string[]): ReadonlySet<keyof LdpParts> {
  return new Set(iris.map((iri) => partNames.get(iri)).filter((part) => part !== undefined));
}

/**
 * Returns the suffix that the parts add to the format name in an entity tag (http-api G-71); empty
 * for all parts.
 */
export function partsVariant({ minimal, containment, membership }: LdpParts): string {
  if (minimal && containment && membership) return '';
  return `.${minimal ? 'm' : ''}${containment ? 'c' : ''}${membership ? 'b' : ''}`;
}
