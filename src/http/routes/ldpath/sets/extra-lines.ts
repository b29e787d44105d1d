import type { Batch } from '../../../../pool/batch/batch.ts';
import type { BatchPart } from '../../../../pool/batch/output-parts.ts';
import type { StartPosition } from '../../../../pool/batch/start-position.ts';
import type { SetCursors } from './cursor.ts';

/** A cursor follows after this many results, or milliseconds. */
const CURSOR_RESULTS = 1_000;
const CURSOR_MS = 1_000;

/** The lines that the response of a set has besides its results (http-api P-27, P-28). */
export class SetLines {
  /** The commit as of which the set was begun. */
  readonly #commit: string;
  readonly #cursors: Pick<SetCursors, 'text'>;
  readonly #ordered: boolean;
  /** The results and the time at the last cursor. */
  #results = 0;
  #time = performance.now();
  /** Where results that are in order have been delivered to. */
  #after: StartPosition | null = null;

  constructor(commit: string, cursors: Pick<SetCursors, 'text'>, ordered: boolean) {
    this.#commit = commit;
    this.#cursors = cursors;
    this.#ordered = ordered;
  }

  first({ total }: Batch): object {
    return { position: this.#commit, total };
  }

  /** Returns the line after a part, if one is due. `results`: the number of results so far. */
  after(part: BatchPart, results: number): object | undefined {
    if (!this.#ordered || part.after === null) return undefined;
    this.#after = part.after;
    const now = performance.now();
    if (results < this.#results + CURSOR_RESULTS && now < this.#time + CURSOR_MS) return undefined;
    this.#results = results;
    this.#time = now;
    return { cursor: this.#text(part.after), count: results };
  }

  /** Returns the members that the last line has besides those of every batch. */
  last({ omitted, cancelled, set }: Batch): object {
    const rest = cancelled ? this.#after : (set?.rest ?? null);
    return {
      filtered: omitted,
      position: this.#commit,
      ...(rest && { cursor: this.#text(rest) }),
    };
  }

  #text(after: StartPosition): string {
    return this.#cursors.text({ after, commit: this.#commit });
  }
}
