import type { ErrorData } from '../../../errors.ts';
import type { BatchPart } from '../../../pool/batch/output-parts.ts';
import { detailOf, statusOfCode } from '../../problem.ts';

/**
 * Returns the results of some start resources as lines of JSON, with the errors in their places
 * (http-api P-21).
 */
export function linesOf({ bytes, errors }: Pick<BatchPart, 'bytes' | 'errors'>): Uint8Array {
  if (errors.length === 0) return bytes;
  const pieces: Uint8Array[] = [];
  let from = 0;
  for (const { at, uri, error } of errors) {
    if (at > from) pieces.push(bytes.subarray(from, at));
    pieces.push(Buffer.from(errorLine(uri, error)));
    from = at;
  }
  pieces.push(bytes.subarray(from));
  return Buffer.concat(pieces);
}

function errorLine(uri: string, error: ErrorData): string {
  const status = statusOfCode(error.code);
  return `${JSON.stringify({ uri, error: { status, code: error.code, detail: detailOf(error) } })}\n`;
}
