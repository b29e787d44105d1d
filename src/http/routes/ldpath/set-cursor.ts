import { failure, type Result } from '../../../errors.ts';
import type { StartPosition } from '../../../pool/batch/start-position.ts';

/** Where a client goes on with a set (http-api P-28). */
export interface SetCursor {
  readonly after: StartPosition;
  /** The commit as of which the set was begun, as the client was told it. */
  readonly commit: string;
}

/**
 * Returns the text of a cursor, which is opaque to clients. `run` identifies this process: in
 * another one, terms may have other ids.
 */
export function cursorText({ after, commit }: SetCursor, run: string): string {
  return Buffer.from(JSON.stringify([run, after.generation, after.id, commit])).toString('base64url');
}

/** Reads a cursor. Errors: `bad-arguments`, `position-gone` for one of another process. */
export function readCursor(text: unknown, run: string): Result<SetCursor> {
  const [madeBy, generation, id, commit] = fieldsOf(text);
  if (!isWhole(generation) || !isWhole(id) || typeof commit !== 'string') {
    return failure('bad-arguments', "'cursor' must be the text of a cursor from an earlier response.");
  }
  if (madeBy === run) return { ok: true, value: { after: { generation, id }, commit } };
  return failure(
    'position-gone',
    'The cursor is one of another process, or from before a restart. Read the set again from its beginning.',
  );
}

function fieldsOf(text: unknown): readonly unknown[] {
  if (typeof text !== 'string') return [];
  try {
    const fields: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    return Array.isArray(fields) ? fields : [];
  } catch {
    return [];
  }
}

function isWhole(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
