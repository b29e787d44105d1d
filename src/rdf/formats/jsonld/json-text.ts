import { RDF } from '../../model/term.ts';
import { ascii } from '../chunk-writer.ts';
import { endsWith } from '../structure/same-bytes.ts';

const suffix = ascii(`"^^<${RDF}JSON>`);
/** Far below the depth that parsers of JSON-LD accept, this server's included. */
const MAX_DEPTH = 100;
const space = /"(?:[^"\\]|\\.)*"|[ \t\n\r]+/g;
/** `JSON.stringify` escapes surrogates only where they have no partner. */
const halfCharacter = /\\ud/;

/**
 * Returns the JSON text that a literal of the type `rdf:JSON` contains. Undefined for other
 * literals, and for a text whose value a reader might not write in the same way again: text that is
 * not JSON, numbers beyond the precision of a double or in another notation, and names that occur
 * twice. `bytes[start .. end)`: the literal in canonical form.
 */
export function jsonTextOf(bytes: Uint8Array, start: number, end: number): Uint8Array | undefined {
  if (end - start <= suffix.length || !endsWith(bytes, end, suffix)) return undefined;
  const quoted = new TextDecoder().decode(bytes.slice(start, end - suffix.length + 1));
  const text = JSON.parse(quoted) as string;
  const written = rewritten(text);
  if (written === undefined || written !== withoutSpace(text)) return undefined;
  if (halfCharacter.test(written) || depthOf(written) > MAX_DEPTH) return undefined;
  return Buffer.from(written);
}

function rewritten(text: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function withoutSpace(text: string): string {
  return text.replace(space, (piece) => (piece.startsWith('"') ? piece : ''));
}

function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (const [piece] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/g)) {
    if (piece === '[' || piece === '{') deepest = Math.max(deepest, ++depth);
    else if (piece === ']' || piece === '}') depth--;
  }
  return deepest;
}
