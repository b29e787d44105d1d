import { parseError } from '../errors.ts';
import { positionOfByte } from '../position.ts';
import { CLOSE_LIST, CLOSE_OBJECT, endOfString, OPEN_LIST, OPEN_OBJECT, QUOTE } from './bytes.ts';

/** Deeper documents would exhaust the stack of the JSON-LD parser. */
const MAX_DEPTH = 256;

/**
 * Throws if lists and objects are nested too deeply. Other syntax errors are left to the parser.
 */
export function checkJsonDepth(bytes: Uint8Array): void {
  let depth = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      at = endOfString(bytes, at) - 1;
    } else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      depth++;
      if (depth > MAX_DEPTH) {
        throw parseError(`Nested deeper than ${MAX_DEPTH} levels`, positionOfByte(bytes, at));
      }
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) {
      depth--;
    }
  }
}
