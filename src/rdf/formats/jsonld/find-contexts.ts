import {
  BACKSLASH,
  CLOSE_OBJECT,
  COLON,
  endOfString,
  endOfValue,
  OPEN_OBJECT,
  parseSlice,
  QUOTE,
  skipSpace,
} from '../../../base/json/bytes.ts';

const AT = 0x40;

/** The range of a context in the document. */
export interface Slice {
  readonly start: number;
  readonly end: number;
}

/** Returns the contexts of a document, by the offset of the object that each one belongs to. */
export function findContexts(bytes: Uint8Array): Map<number, Slice> {
  const found = new Map<number, Slice>();
  const objects: number[] = [];
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === OPEN_OBJECT) {
      objects.push(at);
    } else if (byte === CLOSE_OBJECT) {
      objects.pop();
    } else if (byte === QUOTE) {
      const end = endOfString(bytes, at);
      const colon = skipSpace(bytes, end);
      if (bytes[colon] !== COLON || !isContextKey(bytes, at, end)) {
        at = end - 1;
      } else {
        const start = skipSpace(bytes, colon + 1);
        at = endOfValue(bytes, start) - 1;
        keepLonger(found, objects.at(-1) ?? 0, { start, end: at + 1 });
      }
    }
  }
  return found;
}

/** A second context is an error, but the parser reports it only after it has used the first. */
function keepLonger(found: Map<number, Slice>, object: number, slice: Slice): void {
  const { start, end } = found.get(object) ?? { start: 0, end: 0 };
  if (slice.end - slice.start > end - start) found.set(object, slice);
}

/** Whether a string is `@context`, which may be written with escapes. */
function isContextKey(bytes: Uint8Array, start: number, end: number): boolean {
  const first = bytes[start + 1];
  return (first === AT || first === BACKSLASH) && jsonAt(bytes, { start, end }) === '@context';
}

/** Returns the value of a slice; undefined if it is not JSON, which the parser will report. */
export function jsonAt(bytes: Uint8Array, { start, end }: Slice): unknown {
  try {
    return parseSlice(bytes, start, end);
  } catch {
    return undefined;
  }
}
