import type { ChangeEvent, PageRequest } from '../messages.ts';
import type { Commit } from './commit-source.ts';
import type { RowCursor } from './row-cursor.ts';
import { Summary } from './summary.ts';

/** A part ends before the row with which it would be longer, unless that is its only row. */
export const PART_BYTES = 2 ** 20;

/** Unlike `Buffer.from`, it returns memory of its own: no other is sent along. */
const encoder = new TextEncoder();
const SPACE = 0x20;
const DOT = 0x2e;
const LINE_FEED = 0x0a;
const LETTER_A = 0x41;
const LETTER_D = 0x44;

/** A part of a commit. */
export interface CommitPart {
  readonly event: ChangeEvent;
  readonly isLast: boolean;
  /** With the last part: the number of rows that were read, those of other graphs included. */
  readonly read: number;
}

/**
 * Yields a commit with its rows, part by part; the last part has the graphs.
 *
 * @param graph if given, only rows of this graph
 * @param visible if given, only rows and counts of these graphs
 */
export async function* partsOf(
  commit: Commit,
  { graph, visible }: Pick<PageRequest, 'graph' | 'visible'>,
): AsyncGenerator<CommitPart> {
  const { sequence, time } = commit;
  const summary = new Summary(visible);
  let text = new PatchText();
  let part = 1;
  for await (const rows of commit.rows()) {
    while (rows.next()) {
      const name = summary.add(rows);
      if (name === undefined || (graph !== undefined && name !== graph)) continue;
      if (text.add(rows)) continue;
      const taken = { json: text.take(), part: part++, isLast: false };
      yield { event: { commit: sequence, time, rows: taken }, isLast: false, read: 0 };
      text = new PatchText();
      text.add(rows);
    }
  }
  const rows = { json: text.take(), part, isLast: true };
  const event = { commit: sequence, time, graphs: summary.graphs, rows };
  yield { event, isLast: true, read: summary.rows };
}

/** Lines of RDF Patch. */
class PatchText {
  #bytes = new Uint8Array(4096);
  #length = 0;

  /** Adds the current row; returns false if there is no room for it. */
  add({ bytes, bounds, removed }: RowCursor): boolean {
    const length = lengthOf(bounds);
    if (this.#length > 0 && this.#length + length > PART_BYTES) return false;
    this.#reserve(length);
    const to = this.#bytes;
    let at = this.#length;
    to[at++] = removed ? LETTER_D : LETTER_A;
    for (let i = 0; i < 8; i += 2) {
      to[at++] = SPACE;
      const term = bytes.subarray(bounds[i]!, bounds[i + 1]!);
      to.set(term, at);
      at += term.length;
    }
    to[at++] = SPACE;
    to[at++] = DOT;
    to[at++] = LINE_FEED;
    this.#length = at;
    return true;
  }

  /** Returns the text as JSON. */
  take(): Uint8Array {
    const text = Buffer.from(this.#bytes.buffer, 0, this.#length).toString();
    return encoder.encode(JSON.stringify(text));
  }

  #reserve(length: number): void {
    const needed = this.#length + length;
    if (needed <= this.#bytes.length) return;
    const bytes = new Uint8Array(Math.max(needed, Math.min(PART_BYTES, 2 * this.#bytes.length)));
    bytes.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = bytes;
  }
}

/** A letter, five spaces, a dot and a line feed beside the terms. */
function lengthOf(bounds: ArrayLike<number>): number {
  let length = 8;
  for (let i = 0; i < 8; i += 2) length += bounds[i + 1]! - bounds[i]!;
  return length;
}
