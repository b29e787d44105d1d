import { failure, type Result } from '../../../../errors.ts';
import type { StartPosition } from '../../../../pool/batch/start-position.ts';
import type { CursorSeal } from './cursor-seal.ts';

/** Where a client goes on with a set (http-api P-28). */
export interface SetCursor {
  readonly after: StartPosition;
  /** The commit as of which the set was begun, as the client was told it. */
  readonly commit: string;
}

/** Writes and reads cursors, which are opaque to clients. */
export class SetCursors {
  readonly #run: string;
  readonly #seal: CursorSeal | undefined;

  /**
   * `run` identifies this process: in another one, terms may have other ids. `seal`: for clients
   * that do not see all graphs, since ids depend on what they do not see.
   */
  constructor(run: string, seal?: CursorSeal) {
    this.#run = run;
    this.#seal = seal;
  }

  text({ after, commit }: SetCursor): string {
    const fields = [after.generation, after.id, commit];
    const own = this.#seal ? [this.#seal.close(JSON.stringify(fields))] : fields;
    return Buffer.from(JSON.stringify([this.#run, ...own])).toString('base64url');
  }

  /**
   * Errors: `bad-arguments`, also for a cursor of a client that sees other graphs; `position-gone`
   * for one of another process.
   */
  read(text: unknown): Result<SetCursor> {
    const [madeBy, ...own] = fieldsOf(text, 'base64url');
    const isSealed = own.length === 1 && typeof own[0] === 'string';
    if (isSealed && this.#seal && typeof madeBy === 'string' && madeBy !== this.#run) return otherProcess;
    const [generation, id, commit] = this.#opened(own);
    if (!isWhole(generation) || !isWhole(id) || typeof commit !== 'string') {
      return failure('bad-arguments', "'cursor' must be the text of a cursor from an earlier response.");
    }
    return madeBy === this.#run ? { ok: true, value: { after: { generation, id }, commit } } : otherProcess;
  }

  #opened(own: readonly unknown[]): readonly unknown[] {
    if (!this.#seal) return own;
    return typeof own[0] === 'string' ? fieldsOf(this.#seal.open(own[0]), 'utf8') : [];
  }
}

const otherProcess = failure(
  'position-gone',
  'The cursor is one of another process, or from before a restart. Read the set again from its beginning.',
);

function fieldsOf(text: unknown, encoding: 'base64url' | 'utf8'): readonly unknown[] {
  if (typeof text !== 'string') return [];
  try {
    const fields: unknown = JSON.parse(Buffer.from(text, encoding).toString());
    return Array.isArray(fields) ? fields : [];
  } catch {
    return [];
  }
}

function isWhole(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
