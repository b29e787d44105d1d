/** Characters of a text that are considered. */
const LOOKED_AT = 10_000;

/**
 * The parts of a text: white space and comments, strings, IRIs, variables and blank node labels,
 * words. Matching never reads a character twice, whatever the text is; so an unclosed string
 * extends to the end of the text or of its line.
 */
const parts = new RegExp(
  [
    /(?<skipped>\s+|#[^\n]*)/,
    /(?<string>"""(?:[^"\\]|\\.|"(?!""))*(?:""")?|'''(?:[^'\\]|\\.|'(?!''))*(?:''')?)/,
    /(?<line>"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?)/,
    /(?<iri><[^<>"{}|^`\\\s]*>)/,
    /(?<name>[?$][\p{L}\p{N}_][\p{L}\p{M}\p{N}_·]*|_:(?:[\p{L}\p{M}\p{N}_·-]|\.(?=[\p{L}\p{N}_]))*)/u,
    /(?<word>[\p{L}\p{N}_:](?:[\p{L}\p{M}\p{N}_:·%-]|\.(?=[\p{L}\p{N}_:])|\\.)*)/u,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gsu',
);

/**
 * Returns what the queries of one program have in common: the text without IRIs, strings, numbers,
 * comments and white space, and with numbers for the names of variables and blank nodes.
 */
export function shapeOf(text: string): string {
  const names = new Map<string, number>();
  return text.slice(0, LOOKED_AT).replace(parts, (part, ...rest) => {
    const { skipped, iri, name, word } = rest.at(-1) as Readonly<Record<string, string | undefined>>;
    if (skipped !== undefined) return '';
    if (iri !== undefined) return '<>';
    if (name !== undefined) return ` ?${numberOf(names, name.replace('$', '?'))} `;
    return word === undefined ? '""' : shapeOfWord(part);
  });
}

function numberOf(names: Map<string, number>, name: string): number {
  const number = names.get(name) ?? names.size;
  names.set(name, number);
  return number;
}

/** Returns the shape of a keyword, a number or a name with a prefix. */
function shapeOfWord(word: string): string {
  if (word.includes(':')) return '<>';
  return /^\d/.test(word) ? '0' : ` ${word.toUpperCase()} `;
}
