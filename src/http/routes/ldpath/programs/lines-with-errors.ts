import type { ProgramPart } from '../../../../services/changes/program-stream.ts';
import { detailOf, statusOfCode } from '../../../problem.ts';
import type { PositionOf } from '../../changes/event-json.ts';

/** Returns the changed results of a part as lines, with the errors in their places. */
export function changedLines({ bytes, errors }: ProgramPart, position: string): Buffer {
  const pieces: Uint8Array[] = [];
  let from = 0;
  for (const { at, uri, error } of errors) {
    pieces.push(bytes.subarray(from, at));
    const problem = { status: statusOfCode(error.code), code: error.code, detail: detailOf(error) };
    pieces.push(Buffer.from(`${JSON.stringify({ position, uri, error: problem })}\n`));
    from = at;
  }
  pieces.push(bytes.subarray(from));
  return Buffer.concat(pieces);
}

/** The line after which a client reads all results again, and goes on from the position. */
export function resyncJson(commit: number, positionOf: PositionOf): string {
  return JSON.stringify({ position: positionOf(commit), resync: true });
}
