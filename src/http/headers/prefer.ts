import type { Preference } from '../../ldp/main/preferred-parts.ts';

/** A preference with its parameters, up to the comma that ends it. */
const preference = /(?:[^,"]|"(?:[^"\\]|\\.)*"?)+/g;
/**
 * A name with its value, quoted or not. Unquoted IRIs are accepted although they are not tokens.
 */
const pair = /([^\s=;,"]+)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)"?|([^;,"\s]*)))?/g;

/**
 * Returns the preferences in `Prefer` for the representation to return (http-api 5.5), or undefined
 * if there are none.
 */
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
