import { parseError } from './errors.ts';
import { positionOfByte } from './position.ts';

/** Deeper documents would exhaust the stack of the JSON-LD parser. */
const MAX_DEPTH = 256;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Throws when lists and objects are nested too deep. Other faults of the syntax are left to the parser. */
export function checkJsonDepth(bytes: Uint8Array): void {
  let depth = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      at = endOfString(bytes, at);
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

/** Offset of the closing quote. */
function endOfString(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
}
