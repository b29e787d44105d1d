const ends: ReadonlySet<number> = new Set([...'/?#'].map((sign) => sign.charCodeAt(0)));

/** Whether an IRI is a base, or continues after it with a path, a query or a fragment. */
export function hasBase(iri: string, base: string): boolean {
  if (!iri.startsWith(base)) return false;
  return iri.length === base.length || endsBase(iri.charCodeAt(base.length));
}

/**
 * Whether a base can end before this character: `http://localhost:80` is not the base of
 * `http://localhost:8080/x`.
 */
export function endsBase(code: number): boolean {
  return ends.has(code);
}
