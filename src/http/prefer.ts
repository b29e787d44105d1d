import type { Preference } from '../services/ldp/parts.ts';

/** A preference with its parameters, up to the comma that ends it. */
const preference = /(?:[^,"]|"(?:[^"\\]|\\.)*"?)+/g;
/** A name with its value, quoted or not. Unquoted IRIs, which no token may be, are taken all the same. */
const pair = /([^\s=;,"]+)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)"?|([^;,"\s]*)))?/g;

/** What `Prefer` says of the representation that is to be returned (http-api 5.5); undefined for nothing. */
export function parsePrefer(header: string | undefined): Preference | undefined {
  const include: string[] = [];
  const omit: string[] = [];
  for (const [text] of (header ?? '').matchAll(preference)) {
    const [first, ...parameters] = pairsOf(text);
    if (first?.name !== 'return' || first.value !== 'representation') continue;
    for (const { name, value } of parameters) {
      if (name === 'include') include.push(...irisOf(value));
      else if (name === 'omit') omit.push(...irisOf(value));
    }
  }
  return include.length + omit.length > 0 ? { include, omit } : undefined;
}

function pairsOf(text: string) {
  return Array.from(text.matchAll(pair), ([, name, quoted, bare]) => ({
    name: name!.toLowerCase(),
    value: quoted?.replaceAll(/\\(.)/g, '$1') ?? bare ?? '',
  }));
}

function irisOf(value: string): string[] {
  return value.split(/\s+/).filter(Boolean);
}
