import { parseHttpDate } from '../../headers/http-date.ts';
import { lastModified } from '../../headers/last-modified.ts';
import type { HttpRequest } from '../../server/message.ts';

/** Offsets of a range: `start` inclusive, `end` exclusive. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

type RequestHead = Pick<HttpRequest, 'method' | 'header'>;

/**
 * Returns the part that a GET asks for (R-63, RFC 9110 section 14.2). Undefined means the whole
 * content: also for several ranges, unknown units, malformed ranges, and an `If-Range` that names
 * another state. Returns `bad-range` if the content does not contain that part.
 */
export function requestedRange(
  request: RequestHead,
  bytes: number,
  entityTag: string,
  modified: number,
): ByteRange | 'bad-range' | undefined {
  const header = request.header('range');
  if (header === undefined || request.method !== 'GET') return undefined;
  const ifRange = request.header('if-range');
  if (ifRange !== undefined && !names(ifRange, entityTag, modified)) return undefined;
  // Any number of digits is accepted. A number too large to be exact, or to be finite, is beyond
  // the end like others.
  const match = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(header);
  if (!match || (match[1] === '' && match[2] === '')) return undefined;
  return match[1] === '' ? suffix(Number(match[2]), bytes) : slice(Number(match[1]), match[2]!, bytes);
}

/**
 * Whether `If-Range` holds the strong tag or exactly the date of the last modification (RFC 9110
 * section 13.1.5).
 */
function names(ifRange: string, entityTag: string, modified: number): boolean {
  const date = parseHttpDate(ifRange);
  if (date === undefined) return ifRange.trim() === entityTag;
  return date === lastModified(modified);
}

function suffix(length: number, bytes: number): ByteRange | 'bad-range' {
  if (length === 0 || bytes === 0) return 'bad-range';
  return { start: Math.max(0, bytes - length), end: bytes };
}

function slice(start: number, last: string, bytes: number): ByteRange | 'bad-range' | undefined {
  if (last !== '' && Number(last) < start) return undefined;
  if (start >= bytes) return 'bad-range';
  return { start, end: last === '' ? bytes : Math.min(bytes, Number(last) + 1) };
}
