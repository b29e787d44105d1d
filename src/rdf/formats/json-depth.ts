import { deeperThan } from '../../base/json/bytes.ts';
import { parseError } from './errors.ts';
import { positionOfByte } from './position.ts';

/** Deeper documents would exhaust the stack of the JSON-LD parser. */
export const MAX_JSON_DEPTH = 256;

/**
 * Throws if lists and objects are nested too deeply. Other syntax errors are left to the parser.
 */
export function checkJsonDepth(bytes: Uint8Array): void {
  const at = deeperThan(MAX_JSON_DEPTH, bytes);
  if (at >= 0) throw parseError(`Nested deeper than ${MAX_JSON_DEPTH} levels`, positionOfByte(bytes, at));
}
