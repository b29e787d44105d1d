const scheme = /^[A-Za-z][A-Za-z0-9+.-]*:/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that an IRIREF cannot hold
const forbidden = /[\u0000-\u0020<>"{}|^`\\]/;

/** Why a string cannot stand as an IRI in a graph; undefined when it can. */
export function iriFault(iri: string): string | undefined {
  if (!scheme.test(iri)) return `IRI is not absolute: <${shorten(iri)}>`;
  if (forbidden.test(iri)) return `IRI holds a character that it may not hold: <${shorten(iri)}>`;
  if (!iri.isWellFormed()) return 'IRI holds half of a surrogate pair';
  return undefined;
}

/** A piece of the body, cut so that it fits a message. */
export function shorten(text: string): string {
  return text.length > 80 ? `${text.slice(0, 80).toWellFormed()}…` : text;
}
