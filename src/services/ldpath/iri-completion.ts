import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import type { Pool } from '../../pool/pool.ts';
import type { IriPatterns } from '../../rdf/model/resources/iri-patterns.ts';
import type { TermId } from '../../rdf/model/term-id.ts';
import { isIriAt } from '../../rdf/model/triple-term.ts';
import type { Dictionary } from '../../snapshot/dictionary/dictionary.ts';
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

/** What is looked for, and until when; by the clock. */
interface Search {
  readonly terms: Dictionary;
  /** The first bytes of an IRI, with its bracket. */
  readonly prefix: Uint8Array;
  readonly end: number;
  /** Whether a visible triple has the term; a promise if that takes long. */
  isShown(id: TermId): boolean | Promise<boolean>;
}

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
   * Returns the first IRIs, in code point order, that begin with a text and that occur in a triple
   * of the visible graphs; by default all are. Some are missing if the index was not ready in time.
   */
  async find(text: string, limit: number, visible?: IriPatterns): Promise<string[]> {
    const { dictionary } = this.#store.snapshot;
    const beyond = dictionary.termCount - (this.#indexOf(dictionary)?.termCount ?? 0);
    if (beyond > MANY_UNSORTED) {
      await Promise.race([this.#build(), this.#clock.wait(PATIENCE_MS)]);
    }
    const reader = openSnapshot(this.#store.snapshot).visibleTo(visible);
    const end = this.#clock.now() + SEARCH_MS;
    const isShown = visible ? this.#shownIn(reader, end) : (id: TermId) => reader.mentions(id);
    const { terms } = reader;
    const index = this.#indexOf(terms);
    const prefix = Buffer.from(`<${text}`);
    const found = index ? await this.#searchIndex(index, { terms, prefix, isShown, end }, limit) : [];
    for (const id of unsortedIris((index?.termCount ?? 0) + 1, terms, prefix)) {
      if (visible && this.#clock.now() > end) break;
      const shown = isShown(id);
      if (shown === true || (shown && (await shown))) found.push(id);
    }
    found.sort((a, b) => compareIris(terms, a, b));
    return found.slice(0, limit).map((id) => reader.text(id).slice(1, -1));
  }

  /**
   * Hidden quads may be many, and nothing says where the visible ones are. So other requests have
   * their turns while a term is looked for, and a term that is not found in time is not shown.
   */
  #shownIn(reader: SnapshotReader, end: number): Search['isShown'] {
    return (id) => {
      const search = reader.mentionSearch(id);
      const { done, value } = search.next();
      return done ? value : this.#continue(search, end);
    };
  }

  async #continue(search: Iterator<void, boolean>, end: number): Promise<boolean> {
    while (this.#clock.now() <= end) {
      await nextTurn();
      const { done, value } = search.next();
      if (done) return value;
    }
    return false;
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
    { terms, prefix, isShown, end }: Search,
    limit: number,
  ): Promise<TermId[]> {
    const found: TermId[] = [];
    const ids = new Uint32Array(index.ids);
    for (let i = firstAt(terms, ids, prefix), looked = 1; i < ids.length; i++, looked++) {
      if (comparePrefix(terms, ids[i]!, prefix) !== 0) break;
      const shown = isShown(ids[i]!);
      if (shown === true || (shown && (await shown))) found.push(ids[i]!);
      if (found.length === limit || this.#clock.now() > end) break;
      if (looked % A_TURN === 0) await nextTurn();
    }
    return found;
  }
}

/** Returns the IRIs that are not in the index and begin with the bytes. */
function unsortedIris(first: TermId, terms: Dictionary, prefix: Uint8Array): TermId[] {
  const found: TermId[] = [];
  const last = Math.min(terms.termCount, first + MOST_UNSORTED - 1);
  for (let id = first; id <= last; id++) {
    if (isIriAt(terms.bytes, terms.start(id)) && comparePrefix(terms, id, prefix) === 0) found.push(id);
  }
  return found;
}
