import { isTripleTermAt } from './triple-term.ts';

const QUOTE = 0x22;
const DASH = 0x2d;
const LOWER_L = 0x6c;
const LOWER_R = 0x72;

/**
 * Whether a term in canonical form exists only since RDF 1.2: a triple term, or a literal with a
 * direction. Releases that know only RDF 1.1 would misread it.
 */
export function isRdf12Term(bytes: Uint8Array, start: number, end: number): boolean {
  if (bytes[start] !== QUOTE) return isTripleTermAt(bytes, start);
  const last = bytes[end - 1];
  return (last === LOWER_R || last === LOWER_L) && hasDirection(bytes, end);
}

/** Whether a literal ends with `--` and three letters. */
function hasDirection(bytes: Uint8Array, end: number): boolean {
  if (bytes[end - 4] !== DASH || bytes[end - 5] !== DASH) return false;
  // If a quote is among the last three bytes, the dashes belong to the string, as in `"a--"@r`.
  return bytes[end - 3] !== QUOTE && bytes[end - 2] !== QUOTE;
}
