export interface Position {
  /** 1-based. A line ends with LF, CR or CR LF. */
  readonly line: number;
  /** 1-based, in UTF-16 code units. */
  readonly column: number;
}

const LF = 0x0a;
const CR = 0x0d;
/** The first byte of a character that takes two UTF-16 code units. */
const FOUR_BYTES = 0xf0;

/**
 * Returns the line and column of a byte of UTF-8 text. For error messages: it scans the text from
 * its start.
 */
export function positionOfByte(bytes: Uint8Array, offset: number): Position {
  let line = 1;
  let lineStart = 0;
  for (let at = 0; at < offset; at++) {
    const byte = bytes[at];
    if (byte === LF || (byte === CR && bytes[at + 1] !== LF)) {
      line++;
      lineStart = at + 1;
    }
  }
  return { line, column: unitsIn(bytes, lineStart, offset) + 1 };
}

/** Returns the position after a text. */
export function positionAtEnd(text: string): Position {
  let line = 1;
  let lineStart = 0;
  for (const { index, 0: end } of text.matchAll(/\r\n?|\n/g)) {
    line++;
    lineStart = index + end.length;
  }
  return { line, column: text.length - lineStart + 1 };
}

/** Returns the offset of a position that `positionOfByte` returns. */
export function byteOfPosition(bytes: Uint8Array, { line, column }: Position): number {
  let at = 0;
  for (let count = 1; count < line; count++) at = nextLine(bytes, at);
  for (let units = 1; units < column && at < bytes.length; at = characterBoundary(bytes, at + 1)) {
    units += bytes[at]! >= FOUR_BYTES ? 2 : 1;
  }
  return at;
}

/** A line may be longer than the longest string. */
const PIECE_BYTES = 1024 * 1024;

/** Returns the number of UTF-16 code units in UTF-8. */
function unitsIn(bytes: Uint8Array, start: number, end: number): number {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let units = 0;
  for (let from = start; from < end; from += PIECE_BYTES) {
    const to = Math.min(from + PIECE_BYTES, end);
    units += decoder.decode(bytes.subarray(from, to), { stream: to < end }).length;
  }
  return units;
}

/**
 * Returns the position of the first character that is not white space, on a line (1-based), after
 * `column` code units.
 */
export function positionAfter(bytes: Uint8Array, line: number, column: number): Position {
  let start = 0;
  for (let count = 1; count < line; count++) start = nextLine(bytes, start);
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(
    bytes.subarray(start, nextLine(bytes, start)),
  );
  const space = /[ \t]*/y;
  space.lastIndex = column;
  return { line, column: column + (space.exec(text)?.[0].length ?? 0) + 1 };
}

/** Returns the offset after the line that contains `start`, including its line end. */
function nextLine(bytes: Uint8Array, start: number): number {
  let at = start;
  while (at < bytes.length && bytes[at] !== LF && bytes[at] !== CR) at++;
  return bytes[at] === CR && bytes[at + 1] === LF ? at + 2 : Math.min(at + 1, bytes.length);
}

/** Returns the end of the character before an offset, or the end of the text. */
export function characterBoundary(bytes: Uint8Array, offset: number): number {
  let end = offset;
  while (end < bytes.length && (bytes[end]! & 0xc0) === 0x80) end++;
  return Math.min(end, bytes.length);
}
