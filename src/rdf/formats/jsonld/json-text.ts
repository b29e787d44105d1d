import { RDF } from '../../model/term.ts';
import { ascii } from '../chunk-writer.ts';
import { endsWith } from '../structure/same-bytes.ts';

const suffix = ascii(`"^^<${RDF}JSON>`);
/** Far below the depth that parsers of JSON-LD accept, this server's included. */
const MAX_DEPTH = 100;
/** `JSON.stringify` escapes surrogates only where they have no partner. */
const halfCharacter = /\\ud/;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

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
  if (written === undefined || halfCharacter.test(written)) return undefined;
  return isSameText(text, written) ? Buffer.from(written) : undefined;
}

function rewritten(text: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Whether two texts differ only in white space between tokens, and are not nested too deeply. */
function isSameText(text: string, written: string): boolean {
  let at = 0;
  let depth = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (!inString && isSpace(code)) continue;
    if (code !== written.charCodeAt(at++)) return false;
    if (code === QUOTE) inString = !inString;
    else if (inString && code === BACKSLASH) {
      if (text.charCodeAt(++i) !== written.charCodeAt(at++)) return false;
    } else if (!inString) {
      depth += nesting(code);
      if (depth > MAX_DEPTH) return false;
    }
  }
  return at === written.length;
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

/** Returns 1 for an opening bracket, -1 for a closing one. */
function nesting(code: number): number {
  if (code === 0x5b || code === 0x7b) return 1;
  return code === 0x5d || code === 0x7d ? -1 : 0;
}
