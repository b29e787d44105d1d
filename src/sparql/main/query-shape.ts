/** Characters of a text that count. */
const LOOKED_AT = 10_000;

/**
 * What a text is made of: white space and comments, strings, IRIs, variables and labels of blank
 * nodes, words. Nothing that this begins to match is read a second time, whatever the text is: so a
 * string that is not closed goes on to the end, or to that of its line.
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
 * What queries of one program share: a text without its IRIs, strings, numbers, comments and white
 * space, and with numbers for the names of variables and blank nodes.
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

/** Of a keyword, a number or a name with a prefix. */
function shapeOfWord(word: string): string {
  if (word.includes(':')) return '<>';
  return /^\d/.test(word) ? '0' : ` ${word.toUpperCase()} `;
}
