import { formatLiteral, XSD_STRING } from '../../rdf/model/term.ts';
import { MAX_TRIPLE_DEPTH, tripleTerm } from '../../rdf/model/triple-term.ts';
import type { QuadLike, TermLike } from './rdf-terms.ts';

/** A term that RDF does not have, such as a variable or an IRI with a space. */
export class RdfTermError extends Error {
  override readonly name = 'RdfTermError';
  readonly code = 'bad-term';
}

/** The members of a literal, as far as a library has them. */
interface LiteralLike extends TermLike {
  readonly language?: string;
  readonly direction?: string | null;
  readonly datatype?: TermLike;
}

/** What ends an IRI or a label in N-Triples, or has to be escaped there. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are not allowed
const notInNames = /[\u0000-\u0020\u007f<>"{}|^`\\]/;
const languageTag = /^[a-z0-9]+(?:-[a-z0-9]+)*$/i;

/** Returns the canonical N-Triples form of a term. @throws RdfTermError */
export function canonicalText(term: TermLike): string {
  return textOf(term, 0);
}

/** `depth`: the number of triple terms around the term. */
function textOf(term: TermLike, depth: number): string {
  switch (term.termType) {
    case 'NamedNode':
      return `<${checkedName(term, 'IRI')}>`;
    case 'BlankNode':
      return `_:${checkedName(term, 'label of a blank node')}`;
    case 'Literal':
      return literalText(term, depth);
    case 'Quad':
      return tripleText(term as TermLike & QuadLike, depth);
    default:
      throw new RdfTermError(`A ${shown(term.termType)} is not a term of RDF data.`);
  }
}

function checkedName({ value }: TermLike, kind: string): string {
  if (typeof value === 'string' && value !== '' && !notInNames.test(value) && value.isWellFormed()) {
    return value;
  }
  throw new RdfTermError(`${shown(value)} can't be the ${kind}.`);
}

function literalText(term: LiteralLike, depth: number): string {
  const { value, language = '', direction, datatype } = term;
  if (typeof value !== 'string') throw new RdfTermError(`${shown(value)} can't be the text of a literal.`);
  if (language === '') {
    return formatLiteral(value, datatype ? checkedName(datatype, 'IRI of a datatype') : XSD_STRING, '');
  }
  if (!languageTag.test(language)) throw new RdfTermError(`${shown(language)} is not a language tag.`);
  if (direction && direction !== 'ltr' && direction !== 'rtl') {
    throw new RdfTermError(`${shown(direction)} is not a direction.`);
  }
  const tag = direction ? `${language}--${direction}` : language;
  return formatLiteral(value, XSD_STRING, depth > 0 ? tag.toLowerCase() : tag);
}

function tripleText({ subject, predicate, object }: QuadLike, depth: number): string {
  if (depth === MAX_TRIPLE_DEPTH) throw new RdfTermError(`Triple terms are nested more than ${depth} deep.`);
  return tripleTerm(textOf(subject, depth + 1), textOf(predicate, depth + 1), textOf(object, depth + 1));
}

function shown(text: unknown): string {
  return JSON.stringify(String(text).slice(0, MAX_SHOWN));
}

const MAX_SHOWN = 80;
