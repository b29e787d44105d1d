import { BoundedText } from './bounded-text.ts';
import { canonicalCell, type Spell, withControlsEscaped } from './canonical-cell.ts';
import { CsvResults } from './csv-results.ts';
import { JsonResults } from './json-results.ts';
import type { ResultsWriter } from './row-writer.ts';
import { TsvResults } from './tsv-results.ts';
import { XML_BEGIN, XmlResults } from './xml-results.ts';

export interface ResultsOptions {
  /** Canonical media type of a results format. */
  readonly mediaType: string;
  /**
   * The order of the columns. Columns that the result does not have are ignored; columns that are
   * not listed follow. Undefined: the order of the result.
   */
  readonly order: readonly string[] | undefined;
  /** Columns with literals computed by the query, which are written unchanged. */
  readonly computed?: ReadonlySet<string>;
  /** Called for literals with a datatype or a language in all other columns. */
  readonly spell: Spell;
  readonly maxBytes: number;
}

const writers: Readonly<Record<string, () => ResultsWriter>> = {
  'application/sparql-results+json': () => new JsonResults(),
  'application/sparql-results+xml': () => new XmlResults(),
  'text/csv': () => new CsvResults(),
  'text/tab-separated-values': () => new TsvResults(),
};

/**
 * Converts Oxigraph's TSV for a SELECT or an ASK to a results format. Errors: `too-large` beyond
 * `maxBytes`, `not-acceptable` if the format can't represent a character.
 */
export function writeResults(oxigraphTsv: string, options: ResultsOptions): Uint8Array {
  const { mediaType, order, maxBytes } = options;
  // The result of an ASK has no head and no line end.
  if (!oxigraphTsv.includes('\n')) return writeBoolean(oxigraphTsv === 'true', mediaType);
  const writer = writers[mediaType]?.();
  if (!writer) throw new Error(`No results can be written as ${mediaType}.`);
  const tsv = withControlsEscaped(oxigraphTsv);
  const endOfHead = tsv.indexOf('\n');
  const given = variablesOf(tsv.slice(0, endOfHead));
  const variables = order === undefined ? given : inOrder(given, order);
  const columns = given.map((name) => columnOf(name, variables, options));
  const text = new BoundedText(maxBytes, 2 * tsv.length);
  text.add(writer.head(variables));
  const rows = new TsvRows(tsv, endOfHead + 1, columns);
  for (let isFirst = true; rows.next(); isFirst = false) text.add(writer.row(rows.row, isFirst));
  text.add(writer.tail);
  return text.end();
}

function variablesOf(head: string): string[] {
  return head === '' ? [] : head.split('\t').map((name) => name.slice(1));
}

function inOrder(given: readonly string[], order: readonly string[]): string[] {
  const known = new Set(given);
  return [...new Set([...order.filter((name) => known.has(name)), ...given])];
}

/** The target of one of Oxigraph's columns. */
interface Column {
  /** Its index in the written row. */
  readonly place: number;
  readonly spell: Spell;
}

function columnOf(
  name: string,
  variables: readonly string[],
  { computed, spell }: Pick<ResultsOptions, 'computed' | 'spell'>,
): Column {
  return { place: variables.indexOf(name), spell: computed?.has(name) ? asItIs : spell };
}

const asItIs: Spell = (literal) => literal;

/** The rows of Oxigraph's TSV, each with its cells in the order of writing. */
class TsvRows {
  readonly row: string[];
  readonly #tsv: string;
  readonly #columns: readonly Column[];
  #at: number;

  /** `start`: where the first row begins. */
  constructor(tsv: string, start: number, columns: readonly Column[]) {
    this.row = new Array<string>(columns.length).fill('');
    this.#tsv = tsv;
    this.#at = start;
    this.#columns = columns;
  }

  /** Reads the next row into `row`; returns false if there is none. */
  next(): boolean {
    const tsv = this.#tsv;
    if (this.#at >= tsv.length) return false;
    const columns = this.#columns;
    const last = columns.length - 1;
    const end = tsv.indexOf('\n', this.#at);
    let from = this.#at;
    for (let column = 0; column <= last; column++) {
      const to = column === last ? end : tsv.indexOf('\t', from);
      const { place, spell } = columns[column]!;
      this.row[place] = canonicalCell(tsv.slice(from, to), spell);
      from = to + 1;
    }
    this.#at = end + 1;
    return true;
  }
}

/**
 * Writes the result of an ASK. The recommendations define no form for it in CSV and TSV; it is
 * written as a single line there.
 */
export function writeBoolean(value: boolean, mediaType: string): Uint8Array {
  switch (mediaType) {
    case 'application/sparql-results+json':
      return Buffer.from(`{"head":{},"boolean":${value}}\n`);
    case 'application/sparql-results+xml':
      return Buffer.from(`${XML_BEGIN}<head/>\n<boolean>${value}</boolean>\n</sparql>\n`);
    case 'text/csv':
      return Buffer.from(`${value}\r\n`);
    default:
      return Buffer.from(`${value}\n`);
  }
}
