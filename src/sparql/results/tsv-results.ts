import { XSD } from '../../rdf/model/term.ts';
import { literalParts } from './literal-parts.ts';
import type { ResultsWriter } from './row-writer.ts';

const QUOTE = 0x22;

/** SPARQL 1.1 Query Results TSV Format: terms as in Turtle, without prefixes. */
export class TsvResults implements ResultsWriter {
  readonly tail = '';

  head(variables: readonly string[]): string {
    return `${variables.map((name) => `?${name}`).join('\t')}\n`;
  }

  row(cells: readonly string[]): string {
    let text = '';
    for (let i = 0; i < cells.length; i++) {
      if (i > 0) text += '\t';
      text += tsvTerm(cells[i]!);
    }
    return `${text}\n`;
  }
}

/** Texts that can be written without quotes as literals of these datatypes. */
const bareNumbers: Readonly<Record<string, RegExp>> = {
  [`${XSD}integer`]: /^[+-]?[0-9]+$/,
  [`${XSD}decimal`]: /^[+-]?[0-9]*\.[0-9]+$/,
  [`${XSD}double`]: /^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)[eE][+-]?[0-9]+$/,
};

function tsvTerm(term: string): string {
  if (term.charCodeAt(0) !== QUOTE || !term.endsWith('>')) return term;
  const { escaped, datatype } = literalParts(term);
  return bareNumbers[datatype]?.test(escaped) ? escaped : term;
}
