import { BYTES_A_TERM, hasManyDead } from '../../snapshot/dictionary/renumbering.ts';
import type { SnapshotWriter } from '../../snapshot/write/snapshot-writer.ts';

/** If there are fewer unused terms, they are kept. */
const LEAST_DEAD = 1 << 16;
/** The share by which the data must have changed before unused terms are counted again. */
const CHANGE = 1 / 8;

interface Size {
  readonly terms: number;
  readonly bytes: number;
  readonly quads: number;
}

/**
 * Decides when the writer of a cluster asks all processes to drop unused terms. To count these
 * means to read every quad, so that is only done after a considerable change.
 */
export class DropRule {
  readonly #writer: SnapshotWriter;
  readonly #leastDead: number;
  /** When there were few unused terms. */
  #before: Size = { terms: 0, bytes: 0, quads: 0 };

  constructor(writer: SnapshotWriter, leastDead = LEAST_DEAD) {
    this.#writer = writer;
    this.#leastDead = leastDead;
  }

  /** Whether many terms of the published data are unused. */
  isDue(): boolean {
    if (!this.#hasChanged) return false;
    if (hasManyDead(this.#writer.descriptor, this.#leastDead)) return true;
    this.note();
    return false;
  }

  /** Call it when unused terms were dropped. */
  note(): void {
    this.#before = this.#size;
  }

  get #size(): Size {
    const { dictionary, quadCount } = this.#writer;
    const { termCount } = dictionary;
    return { terms: termCount, bytes: dictionary.bytesOf(termCount), quads: quadCount };
  }

  get #hasChanged(): boolean {
    const least = this.#leastDead;
    const before = this.#before;
    const now = this.#size;
    const terms = now.terms - before.terms;
    const bytes = now.bytes - before.bytes;
    return (
      (terms >= least && terms > CHANGE * before.terms) ||
      (bytes >= BYTES_A_TERM * least && bytes > CHANGE * before.bytes) ||
      before.quads - now.quads > CHANGE * before.quads
    );
  }
}
