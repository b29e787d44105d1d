import { isTripleTerm } from '../../rdf/model/triple-term.ts';
import { literalParts, unescaped } from './literal-parts.ts';
import type { ResultsWriter } from './row-writer.ts';

const QUOTE = 0x22;
const LESS = 0x3c;

/** SPARQL 1.1 Query Results CSV Format: only the values, without their term types. */
export class CsvResults implements ResultsWriter {
  readonly tail = '';

  head(variables: readonly string[]): string {
    return `${variables.join(',')}\r\n`;
  }

  row(cells: readonly string[]): string {
    let text = '';
    for (let i = 0; i < cells.length; i++) {
      if (i > 0) text += ',';
      text += csvField(cells[i]!);
    }
    return `${text}\r\n`;
  }
}

function csvField(term: string): string {
  const first = term.charCodeAt(0);
  if (first === QUOTE) return quoted(unescaped(literalParts(term).escaped));
  return quoted(first === LESS && !isTripleTerm(term) ? term.slice(1, -1) : term);
}

function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
