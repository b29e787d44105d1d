import { COMMA, endOfString, endOfValue, parseSlice, skipSpace } from './bytes.ts';

/**
 * Returns the offset of the key or element to which a path of keys and indexes leads in a JSON
 * document. The document must be well-formed and contain it. Among equal keys the last one counts,
 * as in `JSON.parse`. For error messages: it scans the document from its start.
 */
export function placeOfPath(bytes: Uint8Array, path: readonly (string | number)[]): number {
  let value = skipSpace(bytes, 0);
  let place = value;
  for (const step of path) {
    [place, value] = typeof step === 'number' ? elementAt(bytes, value, step) : memberAt(bytes, value, step);
  }
  return place;
}

type Places = [place: number, value: number];

function elementAt(bytes: Uint8Array, list: number, index: number): Places {
  let at = skipSpace(bytes, list + 1);
  for (let i = 0; i < index; i++) at = skipSpace(bytes, endOfValue(bytes, at) + 1);
  return [at, at];
}

function memberAt(bytes: Uint8Array, object: number, key: string): Places {
  let found: Places = [object, object];
  let at = object;
  do {
    const start = skipSpace(bytes, at + 1);
    const end = endOfString(bytes, start);
    const value = skipSpace(bytes, skipSpace(bytes, end) + 1);
    if (parseSlice(bytes, start, end) === key) found = [start, value];
    at = endOfValue(bytes, value);
  } while (bytes[at] === COMMA);
  return found;
}
