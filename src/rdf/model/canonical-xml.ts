/** Text and values of attributes as Canonical XML 1.0 writes them. */

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#x9;',
  '\n': '&#xA;',
  '\r': '&#xD;',
};

export function escapeText(text: string): string {
  return text.replace(/[&<>\r]/g, (character) => escapes[character]!);
}

/** Also escapes line breaks and tabs, which parsers turn into spaces in attributes. */
export function escapeAttribute(text: string): string {
  return text.replace(/[&<"\t\n\r]/g, (character) => escapes[character]!);
}
