import { RDF } from '../../model/term.ts';
import { ascii } from '../chunk-writer.ts';
import { endsWith } from '../structure/same-bytes.ts';

const suffix = ascii(`"^^<${RDF}JSON>`);
/** Bytes. Parsing this much takes some ten milliseconds. */
const MAX_LENGTH = 1 << 20;
/** Far below the depth that parsers of JSON-LD accept, this server's included. */
const MAX_DEPTH = 100;
/** `JSON.stringify` escapes surrogates only where they have no partner. */
const halfCharacter = /\\ud/;

/**
 * Returns the JSON text that a literal of the type `rdf:JSON` contains. Undefined for other
 * literals, and for a text that a reader would change, since it stores the canonical form of the
 * value (RFC 8785): text with white space, with names in another order, or with numbers in another
 * notation, and text that is not JSON. Also undefined for text that is long or deeply nested.
 * `bytes[start .. end)`: the literal in canonical form.
 */
export function jsonTextOf(bytes: Uint8Array, start: number, end: number): Uint8Array | undefined {
  const length = end - start;
  if (length <= suffix.length || length > MAX_LENGTH || !endsWith(bytes, end, suffix)) return undefined;
  const quoted = new TextDecoder().decode(bytes.slice(start, end - suffix.length + 1));
  const text = JSON.parse(quoted) as string;
  return isCanonical(text) ? Buffer.from(text) : undefined;
}

function isCanonical(text: string): boolean {
  try {
    const value = JSON.parse(text) as unknown;
    return hasSortedNames(value, MAX_DEPTH) && JSON.stringify(value) === text && !halfCharacter.test(text);
  } catch {
    return false;
  }
}

/** Whether the names in all objects are sorted by code units, and nothing is nested more deeply. */
function hasSortedNames(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (depth === 0) return false;
  const names = Array.isArray(value) ? [] : Object.keys(value);
  if (names.some((name, i) => i > 0 && name < names[i - 1]!)) return false;
  return Object.values(value).every((each) => hasSortedNames(each, depth - 1));
}
