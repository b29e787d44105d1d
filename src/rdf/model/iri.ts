const scheme = /^[A-Za-z][A-Za-z0-9+.-]*:/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: an IRIREF cannot have these
const forbidden = /[\u0000-\u0020<>"{}|^`\\]/;

/** Returns why a string cannot be an IRI in a graph; undefined if it can. */
export function iriFault(iri: string): string | undefined {
  if (!scheme.test(iri)) return `IRI is not absolute: <${shorten(iri)}>`;
  if (forbidden.test(iri)) return `IRI contains a character that is not allowed: <${shorten(iri)}>`;
  if (!iri.isWellFormed()) return 'IRI contains half of a surrogate pair';
  return undefined;
}

/** Returns a part of the body, shortened to fit in a message. */
export function shorten(text: string): string {
  return text.length > 80 ? `${text.slice(0, 80).toWellFormed()}…` : text;
}
