import { isTripleTerm, partsOfTriple } from '../../rdf/model/triple-term.ts';
import { AppError } from '../../errors.ts';
import { literalParts, unescaped } from './literal-parts.ts';
import type { ResultsWriter } from './row-writer.ts';

export const XML_BEGIN =
  '<?xml version="1.0" encoding="UTF-8"?>\n<sparql xmlns="http://www.w3.org/2005/sparql-results#">\n';
const ITS = ' xmlns:its="http://www.w3.org/2005/11/its" its:version="2.0"';
const LESS = 0x3c;
const UNDERSCORE = 0x5f;

/** SPARQL Query Results XML Format. Throws `not-acceptable` for text that XML can't represent. */
export class XmlResults implements ResultsWriter {
  readonly tail = '</results>\n</sparql>\n';
  #beginnings: readonly string[] = [];

  head(variables: readonly string[]): string {
    this.#beginnings = variables.map((name) => `<binding name="${name}">`);
    const names = variables.map((name) => `<variable name="${name}"/>`).join('');
    return `${XML_BEGIN}<head>${names}</head>\n<results>\n`;
  }

  row(cells: readonly string[]): string {
    let text = '<result>';
    for (let i = 0; i < cells.length; i++) {
      const cell = cells[i]!;
      if (cell !== '') text += `${this.#beginnings[i]!}${xmlTerm(cell)}</binding>`;
    }
    return `${text}</result>\n`;
  }
}

function xmlTerm(term: string): string {
  const first = term.charCodeAt(0);
  if (first === LESS) {
    return isTripleTerm(term) ? xmlTriple(term) : `<uri>${xmlText(term.slice(1, -1))}</uri>`;
  }
  if (first === UNDERSCORE) return `<bnode>${term.slice(2)}</bnode>`;
  const { escaped, language, direction, datatype } = literalParts(term);
  const value = xmlText(unescaped(escaped));
  if (datatype !== '') return `<literal datatype="${xmlText(datatype)}">${value}</literal>`;
  if (language === '') return `<literal>${value}</literal>`;
  const its = direction === '' ? '' : `${ITS} its:dir="${direction}"`;
  return `<literal xml:lang="${language}"${its}>${value}</literal>`;
}

function xmlTriple(term: string): string {
  const [subject, predicate, object] = partsOfTriple(term).map(xmlTerm);
  return (
    `<triple><subject>${subject}</subject><predicate>${predicate}</predicate>` +
    `<object>${object}</object></triple>`
  );
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: XML escapes or excludes them
const special = /[\u0000-\u0008\u000b-\u001f&<>"\ufffe\uffff]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above
const specials = /[\u0000-\u0008\u000b-\u001f&<>"\ufffe\uffff]/g;

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#xD;',
};

/** Escapes text for an element, or for an attribute value in double quotes. */
function xmlText(text: string): string {
  return special.test(text) ? text.replace(specials, escapeCharacter) : text;
}

function escapeCharacter(character: string): string {
  const entity = entities[character];
  if (entity !== undefined) return entity;
  const code = character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
  const message = `The result contains the character U+${code}, which XML can't represent: request another format.`;
  throw new AppError('not-acceptable', message);
}
