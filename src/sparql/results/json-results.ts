import { isTripleTerm, partsOfTriple } from '../../rdf/model/triple-term.ts';
import { literalParts } from './literal-parts.ts';
import type { ResultsWriter } from './row-writer.ts';

const LESS = 0x3c;
const UNDERSCORE = 0x5f;

/** SPARQL 1.1 Query Results JSON Format. */
export class JsonResults implements ResultsWriter {
  readonly tail = '\n]}}\n';
  /** The text before the value of each variable. */
  #keys: readonly string[] = [];

  head(variables: readonly string[]): string {
    this.#keys = variables.map((name) => `${JSON.stringify(name)}:`);
    return `{"head":{"vars":${JSON.stringify(variables)}},"results":{"bindings":[`;
  }

  row(cells: readonly string[], isFirst: boolean): string {
    let text = '';
    for (let i = 0; i < cells.length; i++) {
      const cell = cells[i]!;
      if (cell === '') continue;
      text += (text === '' ? '' : ',') + this.#keys[i]! + jsonTerm(cell);
    }
    return `${isFirst ? '\n{' : ',\n{'}${text}}`;
  }
}

/**
 * Writes a term. The text between the quotes in canonical N-Triples is already valid in a JSON
 * string.
 */
function jsonTerm(term: string): string {
  const first = term.charCodeAt(0);
  if (first === LESS) {
    return isTripleTerm(term) ? jsonTriple(term) : `{"type":"uri","value":"${term.slice(1, -1)}"}`;
  }
  if (first === UNDERSCORE) return `{"type":"bnode","value":"${term.slice(2)}"}`;
  const { escaped, language, direction, datatype } = literalParts(term);
  const value = `{"type":"literal","value":"${escaped}"`;
  if (datatype !== '') return `${value},"datatype":"${datatype}"}`;
  if (language === '') return `${value}}`;
  return `${value},"xml:lang":"${language}"${direction === '' ? '' : `,"its:dir":"${direction}"`}}`;
}

function jsonTriple(term: string): string {
  const [subject, predicate, object] = partsOfTriple(term).map(jsonTerm);
  const value = `{"subject":${subject},"predicate":${predicate},"object":${object}}`;
  return `{"type":"triple","value":${value}}`;
}
