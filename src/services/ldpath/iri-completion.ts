import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import type { Pool } from '../../pool/pool.ts';
import type { TermId } from '../../rdf/model/term-id.ts';
import { isIriAt } from '../../rdf/model/triple-term.ts';
import { compareIris, comparePrefix, firstAt, type IriIndex } from '../../snapshot/dictionary/iri-index.ts';
import { openSnapshot, type SnapshotReader } from '../../snapshot/read/reader.ts';
import type { StoreClient } from '../../store/main/client.ts';

/** The index is rebuilt when more than this number of terms are not in it. */
const MANY_UNSORTED = 2_048;
/** Maximum number of terms outside the index that are scanned if it was not ready in time. */
const MOST_UNSORTED = 16_384;
/**
 * How long a request waits for an index that it needs, and how long it then searches: the response
 * must arrive within 2 s (http-api 4.7).
 */
const PATIENCE_MS = 1_000;
const SEARCH_MS = 500;
/**
 * IRIs of the index that are examined in one turn of the event loop. Many of them may no longer be
 * used by a triple.
 */
const A_TURN = 1_024;

/** In milliseconds. */
interface Clock {
  now(): number;
  wait(milliseconds: number): Promise<unknown>;
}

const systemClock: Clock = {
  now: () => performance.now(),
  wait: (milliseconds) => wait(milliseconds, undefined, { ref: false }),
};

/**
 * Finds IRIs by their first characters, in an index of all IRIs that a worker builds when it is
 * first needed. Commits cost nothing: terms that they add are scanned until it is worthwhile to
 * index them. The index is rebuilt when terms get other ids.
 */
export class IriSearch {
  readonly #store: Pick<StoreClient, 'snapshot'>;
  readonly #pool: Pick<Pool, 'indexIris'>;
  readonly #clock: Clock;
  #index: IriIndex | null = null;
  #building: Promise<void> | null = null;

  constructor(store: Pick<StoreClient, 'snapshot'>, pool: Pick<Pool, 'indexIris'>, clock = systemClock) {
    this.#store = store;
    this.#pool = pool;
    this.#clock = clock;
  }

  /**
   * Returns the first IRIs, in code point order, that begin with a text and that occur in a visible
   * triple. Some are missing if the index was not ready in time.
   */
  async find(text: string, limit: number): Promise<string[]> {
    const { dictionary } = this.#store.snapshot;
    const beyond = dictionary.termCount - (this.#indexOf(dictionary)?.termCount ?? 0);
    if (beyond > MANY_UNSORTED) {
      await Promise.race([this.#build(), this.#clock.wait(PATIENCE_MS)]);
    }
    const reader = openSnapshot(this.#store.snapshot);
    const index = this.#indexOf(reader.terms);
    const prefix = Buffer.from(`<${text}`);
    const found = index ? await this.#searchIndex(index, reader, prefix, limit) : [];
    found.push(...searchTerms((index?.termCount ?? 0) + 1, reader, prefix));
    found.sort((a, b) => compareIris(reader.terms, a, b));
    return found.slice(0, limit).map((id) => reader.text(id).slice(1, -1));
  }

  #indexOf({ generation }: { readonly generation: number }): IriIndex | null {
    return this.#index?.generation === generation ? this.#index : null;
  }

  #build(): Promise<void> {
    this.#building ??= this.#pool.indexIris(this.#index).then((result) => {
      this.#building = null;
      if (result.ok) this.#index = result.value;
    });
    return this.#building;
  }

  async #searchIndex(
    index: IriIndex,
    reader: SnapshotReader,
    prefix: Uint8Array,
    limit: number,
  ): Promise<TermId[]> {
    const found: TermId[] = [];
    const ids = new Uint32Array(index.ids);
    const end = this.#clock.now() + SEARCH_MS;
    for (let i = firstAt(reader.terms, ids, prefix), looked = 1; i < ids.length; i++, looked++) {
      if (comparePrefix(reader.terms, ids[i]!, prefix) !== 0) break;
      if (reader.mentions(ids[i]!)) found.push(ids[i]!);
      if (found.length === limit || this.#clock.now() > end) break;
      if (looked % A_TURN === 0) await nextTurn();
    }
    return found;
  }
}

function searchTerms(first: TermId, reader: SnapshotReader, prefix: Uint8Array): TermId[] {
  const found: TermId[] = [];
  const last = Math.min(reader.terms.termCount, first + MOST_UNSORTED - 1);
  for (let id = first; id <= last; id++) {
    const isIri = isIriAt(reader.terms.bytes, reader.terms.start(id));
    if (isIri && comparePrefix(reader.terms, id, prefix) === 0 && reader.mentions(id)) found.push(id);
  }
  return found;
}
