import { setTimeout as wait } from 'node:timers/promises';
import type { TermId } from '../graph/term-id.ts';
import type { Pool } from '../pool/pool.ts';
import { comparePrefix, firstAt, type IriIndex } from '../snapshot/iri-index.ts';
import { openSnapshot, type SnapshotReader } from '../snapshot/reader.ts';
import type { StoreClient } from '../store/client.ts';

/** Terms beyond the index that are looked through for an answer: about 2 ms. */
const MOST_UNSORTED = 65_536;
/** With more terms beyond it the index is built anew. */
const MANY_UNSORTED = 16_384;
/** How long an answer waits for an index that it needs: it must come within 2 s (http-api 4.7). */
const PATIENCE_MS = 1_500;
/** How long IRIs of the index are looked at that nothing mentions any more, in milliseconds. */
const SEARCH_MS = 100;
const CLOCK_EVERY = 256;

/**
 * Finds IRIs by their first characters, in an index of all IRIs that a pool thread builds when it is first needed. Terms
 * never change their numbers, so commits cost nothing: what they add is looked through, until it is worth indexing.
 */
export class IriSearch {
  readonly #store: Pick<StoreClient, 'snapshot'>;
  readonly #pool: Pick<Pool, 'indexIris'>;
  #index: IriIndex | null = null;
  #building: Promise<void> | null = null;

  constructor(store: Pick<StoreClient, 'snapshot'>, pool: Pick<Pool, 'indexIris'>) {
    this.#store = store;
    this.#pool = pool;
  }

  /**
   * The first IRIs, in the order of their code points, that begin with a text and that a visible triple mentions. Some
   * are missing when the index could not be had in time.
   */
  async find(text: string, limit: number): Promise<string[]> {
    const beyond = this.#store.snapshot.dictionary.termCount - (this.#index?.termCount ?? 0);
    if (beyond > MANY_UNSORTED) this.#build();
    if (beyond > MOST_UNSORTED && this.#building !== null) {
      await Promise.race([this.#building, wait(PATIENCE_MS, undefined, { ref: false })]);
    }
    const reader = openSnapshot(this.#store.snapshot);
    const prefix = Buffer.from(`<${text}`);
    const found = [...this.#indexed(reader, prefix, limit), ...this.#unsorted(reader, prefix)];
    const iris = found.map((id) => reader.text(id).slice(1, -1));
    return iris.sort(compareCodePoints).slice(0, limit);
  }

  #build(): void {
    this.#building ??= this.#pool.indexIris(this.#index).then((result) => {
      this.#building = null;
      if (result.ok) this.#index = result.value;
    });
  }

  #indexed(reader: SnapshotReader, prefix: Uint8Array, limit: number): TermId[] {
    const found: TermId[] = [];
    if (!this.#index) return found;
    const ids = new Uint32Array(this.#index.ids);
    const end = performance.now() + SEARCH_MS;
    for (let i = firstAt(reader.terms, ids, prefix); i < ids.length && found.length < limit; i++) {
      if (comparePrefix(reader.terms, ids[i]!, prefix) !== 0) break;
      if (reader.mentions(ids[i]!)) found.push(ids[i]!);
      if (i % CLOCK_EVERY === 0 && performance.now() > end) break;
    }
    return found;
  }

  #unsorted(reader: SnapshotReader, prefix: Uint8Array): TermId[] {
    const found: TermId[] = [];
    const first = (this.#index?.termCount ?? 0) + 1;
    const last = Math.min(reader.terms.termCount, first + MOST_UNSORTED - 1);
    for (let id = first; id <= last; id++) {
      if (comparePrefix(reader.terms, id, prefix) === 0 && reader.mentions(id)) found.push(id);
    }
    return found;
  }
}

function compareCodePoints(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
