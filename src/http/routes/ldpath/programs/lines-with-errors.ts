import type { ProgramPart } from '../../../../services/changes/program-stream.ts';
import { detailOf, statusOfCode } from '../../../problem.ts';
import type { PositionOf } from '../../changes/event-json.ts';

const LINE_FEED = 0x0a;
/** Pieces with fewer bytes are sent together; others are not copied. */
const SMALL_BYTES = 64 * 1024;
const data = Buffer.from('data: ');
const lineFeed = Buffer.from('\n');

/** Yields the changed results of a part as lines, with the errors in their places. */
export function changedLines(part: ProgramPart, position: string): Generator<Uint8Array> {
  return joined(piecesOf(part, position));
}

/** Yields the same lines as server-sent events. */
export function changedEvents(part: ProgramPart, position: string): Generator<Uint8Array> {
  return joined(eventsOf(piecesOf(part, position)));
}

/** Yields pieces of whole lines. */
function* piecesOf({ bytes, errors }: ProgramPart, position: string): Generator<Uint8Array> {
  let from = 0;
  for (const { at, uri, error } of errors) {
    yield bytes.subarray(from, at);
    const problem = { status: statusOfCode(error.code), code: error.code, detail: detailOf(error) };
    yield Buffer.from(`${JSON.stringify({ position, uri, error: problem })}\n`);
    from = at;
  }
  yield bytes.subarray(from);
}

function* eventsOf(pieces: Iterable<Uint8Array>): Generator<Uint8Array> {
  for (const { buffer, byteOffset, length } of pieces) {
    const lines = Buffer.from(buffer, byteOffset, length);
    for (let from = 0; from < length; ) {
      const end = lines.indexOf(LINE_FEED, from) + 1;
      yield data;
      yield lines.subarray(from, end);
      yield lineFeed;
      from = end;
    }
  }
}

function* joined(pieces: Iterable<Uint8Array>): Generator<Uint8Array> {
  let small: Uint8Array[] = [];
  let length = 0;
  for (const piece of pieces) {
    if (length > 0 && length + piece.length > SMALL_BYTES) {
      yield Buffer.concat(small, length);
      small = [];
      length = 0;
    }
    if (piece.length > SMALL_BYTES) yield piece;
    else if (piece.length > 0) {
      small.push(piece);
      length += piece.length;
    }
  }
  if (length > 0) yield Buffer.concat(small, length);
}

/** The line after which a client reads all results again, and goes on from the position. */
export function resyncJson(commit: number, positionOf: PositionOf): string {
  return JSON.stringify({ position: positionOf(commit), resync: true });
}
