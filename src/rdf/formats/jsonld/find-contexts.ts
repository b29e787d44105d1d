import {
  BACKSLASH,
  CLOSE_OBJECT,
  COLON,
  endOfString,
  endOfValue,
  OPEN_LIST,
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

/**
 * Returns the contexts of a document, by the offset of the object that each one belongs to, except
 * those in the values of some keys.
 */
export function findContexts(bytes: Uint8Array, skipped?: ReadonlySet<string>): Map<number, Slice> {
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
      const start = valueOfKey(bytes, end);
      if (start > 0 && isContextKey(bytes, at, end)) {
        at = endOfValue(bytes, start) - 1;
        keepLonger(found, objects.at(-1) ?? 0, { start, end: at + 1 });
      } else {
        const isSkipped =
          skipped && mayNest(bytes, start) && skipped.has(String(jsonAt(bytes, { start: at, end })));
        at = (isSkipped ? endOfValue(bytes, start) : end) - 1;
      }
    }
  }
  return found;
}

/** Returns the offset of the value of a key that ends at `end`; 0 if that string is no key. */
function valueOfKey(bytes: Uint8Array, end: number): number {
  const colon = skipSpace(bytes, end);
  return bytes[colon] === COLON ? skipSpace(bytes, colon + 1) : 0;
}

/** Whether a value may contain a context. */
function mayNest(bytes: Uint8Array, start: number): boolean {
  return start > 0 && (bytes[start] === OPEN_OBJECT || bytes[start] === OPEN_LIST);
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
