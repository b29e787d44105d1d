import { parseHttpDate } from '../http-date.ts';
import { lastModified } from '../last-modified.ts';
import type { HttpRequest } from '../message.ts';

/** From `start` up to, not including, `end`. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

type RequestHead = Pick<HttpRequest, 'method' | 'header'>;

/**
 * The part that a GET asks for (R-63, RFC 9110 section 14.2); undefined for all of it: also for several ranges, unknown
 * units, what is no range, and an `If-Range` that names another state. `bad-range` when the bytes have no such part.
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
  // However long they are: numbers that can't be exact, or finite, lie beyond the end like others.
  const match = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(header);
  if (!match || (match[1] === '' && match[2] === '')) return undefined;
  return match[1] === '' ? suffix(Number(match[2]), bytes) : slice(Number(match[1]), match[2]!, bytes);
}

/** A strong tag, or the very date of the last modification (RFC 9110 section 13.1.5). */
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
