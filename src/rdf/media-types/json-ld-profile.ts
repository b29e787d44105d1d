import { formatByShortName, type RdfFormat } from './media-types.ts';

/** A form of JSON-LD that a client can ask for (http-api G-49). */
export type JsonLdProfile = 'compacted' | 'expanded';

const NAMESPACE = 'http://www.w3.org/ns/json-ld#';
const JSON_LD = 'application/ld+json';

const parameters: Readonly<Record<JsonLdProfile, string>> = {
  compacted: `;profile="${NAMESPACE}compacted"`,
  expanded: `;profile="${NAMESPACE}expanded"`,
};
const profiles = new Map<string, JsonLdProfile>([
  [`${NAMESPACE}compacted`, 'compacted'],
  [`${NAMESPACE}expanded`, 'expanded'],
]);

/** JSON-LD in compacted form, which is only written, and only on request. */
export const compactedJsonLd: RdfFormat = {
  ...formatByShortName('jsonld', 'jsonld')!,
  variant: 'jsonld-compacted',
  mediaType: JSON_LD + parameters.compacted,
};

/** Returns the first known one of the IRIs in a parameter `profile`, which spaces separate. */
export function knownProfile(parameter: string | undefined): JsonLdProfile | undefined {
  if (parameter === undefined) return undefined;
  for (const iri of parameter.split(/\s+/)) {
    const profile = profiles.get(iri);
    if (profile) return profile;
  }
  return undefined;
}

export interface ProfiledFormat {
  readonly format: RdfFormat;
  readonly type: string;
}

/** Returns what is written when a client asks for a type with a profile. */
export function withProfile(chosen: ProfiledFormat, profile: JsonLdProfile | undefined): ProfiledFormat {
  if (profile === undefined || chosen.type !== JSON_LD) return chosen;
  const format = profile === 'compacted' ? compactedJsonLd : chosen.format;
  return { format, type: JSON_LD + parameters[profile] };
}
