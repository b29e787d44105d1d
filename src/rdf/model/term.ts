/**
 * RDF terms as plain data, and their canonical N-Triples form.
 *
 * The canonical form (RDF 1.2 N-Triples, "Canonical form") is how terms are stored, compared,
 * hashed and written: UTF-8 throughout; in strings only `\b \t \n \f \r \" \\` and `\u00XX` for the
 * other control characters and DEL; `xsd:string` omitted; language tags as they were first written.
 * The code relies on two consequences: two terms are equal if their bytes are equal, except for the
 * case of language tags (`language/tag-case.ts`), and the text between the quotes of a literal is
 * valid JSON string content without changes. Triple terms have the form of `triple-term.ts`, and
 * language tags in lower case.
 */
import { isTripleTerm } from './triple-term.ts';

export interface Iri {
  readonly kind: 'iri';
  readonly value: string;
}

export interface BlankNode {
  readonly kind: 'blank';
  /** Without `_:`. */
  readonly value: string;
}

export interface Literal {
  readonly kind: 'literal';
  readonly value: string;
  /**
   * IRI of the datatype; `rdf:langString` if there is a language, `rdf:dirLangString` if there is a
   * direction, too.
   */
  readonly datatype: string;
  /** As written; empty without one. */
  readonly language: string;
  /** Only a literal with a language may have one; otherwise empty. */
  readonly direction: Direction | '';
}

/** The base direction of a text. */
export type Direction = 'ltr' | 'rtl';

export interface TripleTerm {
  readonly kind: 'triple';
  /** Canonical form. */
  readonly value: string;
}

export type Term = Iri | BlankNode | Literal | TripleTerm;

export const XSD = 'http://www.w3.org/2001/XMLSchema#';
export const RDF = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';
export const XSD_STRING = `${XSD}string`;
export const RDF_LANG_STRING = `${RDF}langString`;
export const RDF_DIR_LANG_STRING = `${RDF}dirLangString`;

export function iri(value: string): Iri {
  return { kind: 'iri', value };
}

export function blankNode(label: string): BlankNode {
  return { kind: 'blank', value: label };
}

export function literal(value: string, datatype: string = XSD_STRING): Literal {
  return { kind: 'literal', value, datatype, language: '', direction: '' };
}

/** `tag`: a language, perhaps with a direction: `en` or `en--ltr`. */
export function languageLiteral(value: string, tag: string): Literal {
  const { language, direction } = partsOfTag(tag);
  const datatype = direction === '' ? RDF_LANG_STRING : RDF_DIR_LANG_STRING;
  return { kind: 'literal', value, datatype, language, direction };
}

/** Splits a language tag with or without a direction. */
export function partsOfTag(tag: string): Pick<Literal, 'language' | 'direction'> {
  const end = tag.indexOf('--');
  if (end < 0) return { language: tag, direction: '' };
  return { language: tag.slice(0, end), direction: tag.slice(end + 2) as Direction };
}

/** Returns the canonical N-Triples form of a term. */
export function formatTerm(term: Term): string {
  switch (term.kind) {
    case 'iri':
      return `<${term.value}>`;
    case 'blank':
      return `_:${term.value}`;
    case 'literal':
      return formatLiteral(term.value, term.datatype, tagOf(term));
    case 'triple':
      return term.value;
  }
}

/** Returns the language of a literal, perhaps with a direction: `en--ltr`. */
export function tagOf({ language, direction }: Literal): string {
  return direction === '' ? language : `${language}--${direction}`;
}

/**
 * Returns the canonical N-Triples form of a literal. `tag`, a language perhaps with a direction,
 * takes precedence over `datatype`.
 */
export function formatLiteral(value: string, datatype: string, tag: string): string {
  const quoted = `"${escapeString(value)}"`;
  if (tag !== '') return `${quoted}@${tag}`;
  return datatype === XSD_STRING ? quoted : `${quoted}^^<${datatype}>`;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the form escapes these
const needsEscape = /[\u0000-\u001f"\\\u007f]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above
const escaped = /[\u0000-\u001f"\\\u007f]/g;

const shortEscapes: Readonly<Record<string, string>> = {
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\f': '\\f',
  '\r': '\\r',
  '"': '\\"',
  '\\': '\\\\',
};

function escapeString(value: string): string {
  const text = value.isWellFormed() ? value : value.toWellFormed();
  return needsEscape.test(text) ? text.replace(escaped, escapeCharacter) : text;
}

function escapeCharacter(character: string): string {
  return (
    shortEscapes[character] ?? `\\u${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`
  );
}

/**
 * Reads a term back from its canonical form. The text is trusted: it must come from `formatTerm`.
 */
export function parseTerm(text: string): Term {
  const first = text.charCodeAt(0);
  if (isTripleTerm(text)) return { kind: 'triple', value: text };
  if (first === 0x3c /* < */) return iri(text.slice(1, -1));
  if (first === 0x5f /* _ */) return blankNode(text.slice(2));
  const close = text.lastIndexOf('"');
  const value = unescapeString(text.slice(1, close));
  if (close === text.length - 1) return literal(value);
  if (text.charCodeAt(close + 1) === 0x40 /* @ */) return languageLiteral(value, text.slice(close + 2));
  return literal(value, text.slice(close + 4, -1));
}

function unescapeString(value: string): string {
  return value.includes('\\') ? (JSON.parse(`"${value}"`) as string) : value;
}
