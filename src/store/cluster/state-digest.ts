import type { TermId } from '../../rdf/model/term-id.ts';
import type { SnapshotDescriptor } from '../../snapshot/descriptor.ts';
import { mix } from '../../snapshot/dictionary/hash.ts';
import { MergedScan } from '../../snapshot/runs/merged-scan.ts';
import { BY_SUBJECT } from '../../snapshot/runs/order.ts';
import { Runs } from '../../snapshot/runs/runs.ts';

/**
 * A digest of the data: the number of quads, the number of terms, and the sum of a 64-bit hash of
 * each quad's ids. The sum does not depend on an order, so it can be updated with each row. The
 * processes of a cluster compare their digests, so the hash can't be changed. It detects faults; it
 * is no protection against somebody who chooses quads with equal sums.
 */
export class StateDigest {
  #quads = 0;
  #low = 0;
  #high = 0;

  /** Returns the digest of all quads of a snapshot. Reads every quad. */
  static of(snapshot: SnapshotDescriptor): StateDigest {
    const digest = new StateDigest();
    digest.restart(snapshot);
    return digest;
  }

  /** Becomes the digest of all quads of a snapshot. Reads every quad. */
  restart(snapshot: SnapshotDescriptor): void {
    this.#quads = 0;
    this.#low = 0;
    this.#high = 0;
    const scan = new MergedScan(new Runs(snapshot)).start(BY_SUBJECT, 0);
    while (scan.next()) this.add(scan.a, scan.b, scan.c, scan.d);
  }

  /** Takes in a quad that was not there before. */
  add(s: TermId, p: TermId, o: TermId, g: TermId): void {
    this.#quads++;
    this.#low = (this.#low + lowHash(s, p, o, g)) | 0;
    this.#high = (this.#high + highHash(s, p, o, g)) | 0;
  }

  /** Takes out a quad that was there before. */
  remove(s: TermId, p: TermId, o: TermId, g: TermId): void {
    this.#quads--;
    this.#low = (this.#low - lowHash(s, p, o, g)) | 0;
    this.#high = (this.#high - highHash(s, p, o, g)) | 0;
  }

  /** The same for rows of four ids. */
  addRows(rows: Uint32Array): void {
    for (let i = 0; i < rows.length; i += 4) this.add(rows[i]!, rows[i + 1]!, rows[i + 2]!, rows[i + 3]!);
  }

  removeRows(rows: Uint32Array): void {
    for (let i = 0; i < rows.length; i += 4) this.remove(rows[i]!, rows[i + 1]!, rows[i + 2]!, rows[i + 3]!);
  }

  /** The digest as text, for data with this many terms. */
  text(termCount: number): string {
    return `${this.#quads}.${termCount}.${hex(this.#high)}${hex(this.#low)}`;
  }
}

function lowHash(s: TermId, p: TermId, o: TermId, g: TermId): number {
  return mix(
    Math.imul(s, 0x9e3779b1) + Math.imul(p, 0x85ebca77) + Math.imul(o, 0xc2b2ae3d) + Math.imul(g, 0x27d4eb2f),
  );
}

function highHash(s: TermId, p: TermId, o: TermId, g: TermId): number {
  return mix(
    Math.imul(s, 0x165667b1) + Math.imul(p, 0xd3a2646d) + Math.imul(o, 0xfd7046c5) + Math.imul(g, 0xb55a4f09),
  );
}

function hex(word: number): string {
  return (word >>> 0).toString(16).padStart(8, '0');
}
