import { XSD } from '../../rdf/model/term.ts';

/** Returns the spelling of a literal in the data. Both are in canonical N-Triples form. */
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
  if (first === LESS) return isTriple(cell) ? canonicalTriple(cell, spell) : cell;
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

/**
 * Whether a term is a triple. Queries can construct them (SPARQL 1.2), but data can't contain them.
 */
export function isTriple(term: string): boolean {
  return term.startsWith('<<(');
}

const pieces = /<<\(|\)>>|<[^>]*>|"(?:[^"\\]|\\.)*"(?:@[A-Za-z0-9-]+|\^\^<[^>]*>)?|[^\s)]+/gs;

function canonicalTriple(cell: string, spell: Spell): string {
  const texts = cell.match(pieces) ?? [];
  return texts
    .map((text) => (text === '<<(' || text === ')>>' ? text : canonicalCell(text, spell)))
    .join(' ');
}

/** Returns the subject, the predicate and the object of a triple in canonical form. */
export function partsOfTriple(term: string): readonly [string, string, string] {
  const parts: string[] = [];
  let depth = 0;
  for (const text of term.match(pieces) ?? []) {
    if (text === ')>>') depth--;
    if (depth > 1 || (depth === 1 && text === ')>>')) parts[parts.length - 1] += ` ${text}`;
    else if (depth === 1) parts.push(text);
    if (text === '<<(') depth++;
  }
  return [parts[0] ?? '', parts[1] ?? '', parts[2] ?? ''];
}
