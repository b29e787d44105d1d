import type { Row } from '../sparql/answers/rows.ts';

const term =
  /(?<bracket><<\(|\)>>)|<(?<iri>[^>]*)>|(?<blank>_:[^\s.)]+(?:\.+[^\s.)]+)*)|"(?<text>(?:[^"\\]|\\.)*)"(?:@(?<language>[A-Za-z0-9-]+)|\^\^<(?<type>[^>]*)>)?/gsu;
const XSD_STRING = 'http://www.w3.org/2001/XMLSchema#string';
const letters: Readonly<Record<string, string>> = { b: '\b', t: '\t', n: '\n', f: '\f', r: '\r' };

/**
 * Rows of subject, predicate, object and perhaps graph, each once, from well-formed N-Triples or
 * N-Quads. The terms and brackets of a triple term are cells of their own. Two terms have the same
 * text if they are the same, with the case of language tags.
 */
export function readLines(text: string): Row[] {
  const rows = text
    .split(/[\r\n]+/)
    .filter((line) => /^\s*[<_]/.test(line))
    .map((line) => [...line.matchAll(term)].map(({ groups }) => termText(groups ?? {})));
  return distinct(rows);
}

/** Returns the rows without their graphs. */
export function triplesOf(rows: readonly Row[]): Row[] {
  return distinct(rows.map((row) => row.slice(0, endOfTriple(row))));
}

/** Returns the name of the graph in a row, if it has one. */
export function graphOf(row: Row): string | undefined {
  return row[endOfTriple(row)];
}

/** Returns where the third term of a row ends: a triple term takes several cells. */
function endOfTriple(row: Row): number {
  return row.lastIndexOf(')>>') < 0 ? 3 : row.lastIndexOf(')>>') + 1;
}

function distinct(rows: readonly Row[]): Row[] {
  return [...new Map(rows.map((row) => [JSON.stringify(row), row])).values()];
}

function termText({ bracket, iri, blank, text, language, type }: Partial<Record<string, string>>): string {
  if (bracket !== undefined) return bracket;
  if (iri !== undefined) return `<${plain(iri)}>`;
  if (blank !== undefined) return blank;
  const value = JSON.stringify(plain(text ?? ''));
  if (language !== undefined) return `${value}@${language}`;
  return type === undefined || plain(type) === XSD_STRING ? value : `${value}^^<${plain(type)}>`;
}

function plain(text: string): string {
  return text.replace(/\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))/gs, (_, four, eight, letter) => {
    const digits: string | undefined = four ?? eight;
    return digits === undefined
      ? (letters[letter] ?? letter)
      : String.fromCodePoint(Number.parseInt(digits, 16));
  });
}
