import type { Turns } from '../../base/turns.ts';
import type { ChangeHistory } from '../../changes/main/change-history.ts';
import type { Page, PageRequest, Place, WatchedSubjects } from '../../changes/messages.ts';
import type { CommitWaves } from './commit-waves.ts';

/** What a stream reads from. */
export interface StreamSource {
  readonly history: ChangeHistory;
  readonly waves: CommitWaves;
  /** Those of all streams, so that streams at the same place share a page. */
  readonly watched: () => WatchedSubjects;
  /** In which streams take their large pages. */
  readonly turns: Turns;
}

/** Pages that have more than this are passed on one by one. */
const SMALL_PAGE_EVENTS = 16;
const SMALL_PAGE_BYTES = 2 ** 16;

/** What a stream has. */
export interface StreamRequest extends Omit<PageRequest, 'part' | 'subjects'> {
  readonly watched?: WatchedNode;
}

/** What changes are counted of: a subject in canonical form, or a resource of the LDP space. */
export type WatchedNode = { readonly subject: string } | { readonly resource: string };

/** Reads the page of a stream at a place. Errors: those of `ChangeHistory.page`. */
export function readPage(
  source: StreamSource,
  { rows, graph, visible, watched }: StreamRequest,
  place: Place,
): Promise<Page> {
  return source.history.page({
    ...place,
    rows,
    graph,
    visible,
    ...(watched && { subjects: source.watched() }),
  });
}

/**
 * The changes after a place, page by page, as fast as they are asked for: it holds no more than a
 * page. It ends when it is stopped.
 */
export class ChangeStream {
  readonly #source: StreamSource;
  readonly #request: StreamRequest;
  readonly #onStop: () => void;
  #first: Page | undefined;
  #place: Place;
  #isNewest = false;
  #stopped = false;
  #delivered = 0;
  #stopWaiting = () => {};

  /**
   * @param first the first page that the request has
   * @param onStop called once
   */
  constructor(source: StreamSource, request: StreamRequest, first: Page, onStop: () => void) {
    this.#source = source;
    this.#request = request;
    this.#first = first;
    this.#place = { since: request.since };
    this.#onStop = onStop;
  }

  /** Number of the last commit that was read as a whole. */
  get since(): number {
    return this.#place.since;
  }

  /**
   * Returns the next page. If there is nothing new, it waits for that, at most this long in
   * milliseconds. Errors: those of `ChangeHistory.page`.
   */
  async next(ms: number): Promise<Page | 'idle' | 'stopped'> {
    if (this.#stopped) return 'stopped';
    const { history, waves, turns } = this.#source;
    if (this.#isNewest && this.since >= history.newest) {
      const onStop = (stop: () => void) => {
        this.#stopWaiting = stop;
      };
      const why = await waves.wait(this.since, ms, onStop);
      if (why !== 'commit') return why === 'time' ? 'idle' : why;
    }
    const page = this.#first ?? (await readPage(this.#source, this.#request, this.#place));
    this.#first = undefined;
    // Streams that share a page would all write it at once otherwise, while nothing else is done.
    if (isLarge(page)) await turns.next();
    this.#delivered += page.events.length;
    this.#place = page.end;
    this.#isNewest = page.isNewest;
    return this.#stopped ? 'stopped' : page;
  }

  /** The number of events that were read. */
  get delivered(): number {
    return this.#delivered;
  }

  /** Whether everything was read that there was at the last page. */
  get isNewest(): boolean {
    return this.#isNewest;
  }

  stop(): void {
    if (this.#stopped) return;
    this.#stopped = true;
    this.#stopWaiting();
    this.#onStop();
  }
}

function isLarge({ events }: Page): boolean {
  if (events.length > SMALL_PAGE_EVENTS) return true;
  return events.reduce((sum, { rows }) => sum + (rows?.json.length ?? 0), 0) > SMALL_PAGE_BYTES;
}
