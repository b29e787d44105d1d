import type { TermId } from '../../rdf/model/term-id.ts';
import type { SnapshotReader } from '../../snapshot/read/reader.ts';
import { ID_MASK, REMOVED } from '../../snapshot/runs/order.ts';
import { QuadSet } from '../../snapshot/runs/quad-set.ts';

const FIRST_ROWS = 1024;
const LINE_FEED = 0x0a;
const SIMPLE = '(?:<[^>]*>|_:\\S+|"[^"\\\\]*(?:\\\\.[^"\\\\]*)*"(?:@\\S+|\\^\\^<[^>]*>)?)';
/** A triple term, or another term. */
const TERM = new RegExp(`(?:<<\\((?: (?:<[^<>]*>|_:\\S+)){2} )+${SIMPLE}(?: \\)>>)+|${SIMPLE}`, 'g');

/**
 * Reads the journal with independent code, to check what a start makes of it. Starting from the
 * quads of the checkpoint, the changes of the journal, each of which must have an effect, must lead
 * to exactly the quads of the snapshot.
 */
export class JournalAudit {
  /** Rows of four ids, the last with `REMOVED`, in the order of the journal. */
  #rows = new Uint32Array(4 * FIRST_ROWS);
  #count = 0;

  /** Takes one record's payload; `find` returns the id of a term's canonical form. */
  take(payload: Uint8Array, find: (text: string) => TermId): void {
    const text = Buffer.from(payload.buffer, payload.byteOffset, payload.length);
    for (let at = 0; at < text.length; ) {
      const end = text.indexOf(LINE_FEED, at);
      const letter = text.toString('latin1', at, at + 2);
      if (letter === 'A ' || letter === 'D ') this.#add(text.toString('utf8', at + 2, end), letter, find);
      at = end + 1;
    }
  }

  /**
   * Returns a description of each inconsistency. `before`: the checkpoint's data; `after`: the data
   * with the journal applied.
   */
  damages(before: SnapshotReader, after: SnapshotReader): string[] {
    const { added, removed, idle, wrong } = this.#effects(before, after);
    const expected = before.quadCount + added - removed.size;
    let lost = 0;
    for (const quads = before.allQuads(); quads.next(); ) {
      const { subject, predicate, object, graph } = quads;
      const isThere = after.hasQuad(subject, predicate, object, graph);
      if (!isThere && !removed.has(subject, predicate, object, graph)) lost++;
    }
    const found = countOf(after);
    return [
      ...(idle === 0 ? [] : [`the journal has ${idle} changes without effect`]),
      ...(wrong === 0 ? [] : [`${wrong} changes of the journal are not in the snapshot`]),
      ...(lost === 0 ? [] : [`${lost} quads of the checkpoint are missing, though nothing removed them`]),
      ...(found === expected && found === after.quadCount
        ? []
        : [
            `the journal leads to ${expected} quads; the snapshot counts ${after.quadCount} and has ${found}`,
          ]),
    ];
  }

  #add(row: string, letter: string, find: (text: string) => TermId): void {
    if (4 * this.#count === this.#rows.length) {
      const rows = new Uint32Array(2 * this.#rows.length);
      rows.set(this.#rows);
      this.#rows = rows;
    }
    const ids = (row.match(TERM) ?? []).map(find);
    this.#rows.set(ids.slice(0, 4), 4 * this.#count);
    if (letter === 'D ') this.#rows[4 * this.#count + 3]! |= REMOVED;
    this.#count++;
  }

  /**
   * Compares each quad that the journal mentions with both snapshots, and counts the differences.
   */
  #effects(before: SnapshotReader, after: SnapshotReader) {
    const removed = new QuadSet();
    let [added, idle, wrong] = [0, 0, 0];
    const rows = this.#rows;
    const order = this.#byQuad();
    for (let i = 0; i < order.length; ) {
      const at = 4 * order[i]!;
      const [s, p, o, g] = [rows[at]!, rows[at + 1]!, rows[at + 2]!, rows[at + 3]! & ID_MASK];
      const wasThere = before.hasQuad(s, p, o, g);
      let isThere = wasThere;
      for (; i < order.length && this.#compare(at, 4 * order[i]!) === 0; i++) {
        const adds = rows[4 * order[i]! + 3]! <= ID_MASK;
        if (adds === isThere) idle++;
        isThere = adds;
      }
      if (after.hasQuad(s, p, o, g) !== isThere) wrong++;
      if (isThere && !wasThere) added++;
      if (wasThere && !isThere) removed.add(s, p, o, g);
    }
    return { added, removed, idle, wrong };
  }

  /** Returns the row numbers, grouped by quad and, within one quad, in the order of the journal. */
  #byQuad(): Uint32Array {
    const order = Uint32Array.from({ length: this.#count }, (_, i) => i);
    return order.sort((x, y) => this.#compare(4 * x, 4 * y) || x - y);
  }

  #compare(x: number, y: number): number {
    const rows = this.#rows;
    for (let i = 0; i < 3; i++) if (rows[x + i] !== rows[y + i]) return rows[x + i]! - rows[y + i]!;
    return (rows[x + 3]! & ID_MASK) - (rows[y + 3]! & ID_MASK);
  }
}

function countOf(reader: SnapshotReader): number {
  let count = 0;
  for (const quads = reader.allQuads(); quads.next(); ) count++;
  return count;
}
