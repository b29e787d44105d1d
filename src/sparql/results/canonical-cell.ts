import { XSD } from '../../rdf/model/term.ts';
import { isTripleTerm } from '../../rdf/model/triple-term.ts';

/**
 * Returns the spelling of a literal, or of a triple term, in the data. Both are in canonical
 * N-Triples form.
 */
export type Spell = (literal: string) => string;

const QUOTE = 0x22;
const LESS = 0x3c;
const UNDERSCORE = 0x5f;

// biome-ignore lint/suspicious/noControlCharactersInRegex: Oxigraph's TSV leaves these as they are
const control = /[\u0000-\u0008\u000b-\u001f\u007f]/g;

/**
 * Escapes all control characters in strings of Oxigraph's TSV as in canonical N-Triples. Oxigraph
 * escapes only four of them.
 */
export function withControlsEscaped(tsv: string): string {
  return tsv.replace(control, escapeControl);
}

/**
 * Returns a cell of such a text in canonical N-Triples form. Oxigraph writes numbers and booleans
 * without quotes. An unbound cell is empty in both.
 */
export function canonicalCell(cell: string, spell: Spell): string {
  const first = cell.charCodeAt(0);
  // A triple term in the data has a spelling of its own.
  if (first === LESS) return isTripleTerm(cell) ? spell(canonicalTriple(cell)) : cell;
  if (first === UNDERSCORE || cell === '') return cell;
  if (first !== QUOTE) return spell(`"${cell}"^^<${datatypeOf(cell)}>`);
  return cell.endsWith('"') ? cell : spell(cell);
}

/** Returns the datatype of a cell without quotes. */
function datatypeOf(cell: string): string {
  if (cell === 'true' || cell === 'false') return `${XSD}boolean`;
  if (/[eE]/.test(cell)) return `${XSD}double`;
  return cell.includes('.') ? `${XSD}decimal` : `${XSD}integer`;
}

function escapeControl(character: string): string {
  if (character === '\b') return '\\b';
  if (character === '\f') return '\\f';
  return `\\u${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
}

const pieces = /<<\(|\)>>|<[^>]*>|"(?:[^"\\]|\\.)*"(?:@[A-Za-z0-9-]+|\^\^<[^>]*>)?|[^\s)]+/gs;

function canonicalTriple(cell: string): string {
  const unchanged: Spell = (literal) => literal;
  const texts = cell.match(pieces) ?? [];
  return texts
    .map((text) => (text === '<<(' || text === ')>>' ? text : canonicalCell(text, unchanged)))
    .join(' ');
}
