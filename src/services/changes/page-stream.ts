import type { ChangeHistory } from '../../changes/main/change-history.ts';
import type { Page, PageRequest, Place } from '../../changes/messages.ts';
import type { CommitWaves } from './commit-waves.ts';

/** What a stream reads from. */
export interface StreamSource {
  readonly history: ChangeHistory;
  readonly waves: CommitWaves;
}

/**
 * The changes after a place, page by page, as fast as they are asked for: it holds no more than a
 * page. It ends when it is stopped.
 */
export class ChangeStream {
  readonly #source: StreamSource;
  readonly #request: Omit<PageRequest, keyof Place>;
  readonly #onStop: () => void;
  #first: Page | undefined;
  #place: Place;
  #isNewest = false;
  #stopped = false;
  #stopWaiting = () => {};

  /**
   * @param first the first page that the request has
   * @param onStop called once
   */
  constructor(source: StreamSource, request: PageRequest, first: Page, onStop: () => void) {
    this.#source = source;
    const { since, part, ...rest } = request;
    this.#request = rest;
    this.#first = first;
    this.#place = part === undefined ? { since } : { since, part };
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
    const { history, waves } = this.#source;
    if (this.#isNewest && this.since >= history.newest) {
      const onStop = (stop: () => void) => {
        this.#stopWaiting = stop;
      };
      const why = await waves.wait(this.since, ms, onStop);
      if (why !== 'commit') return why === 'time' ? 'idle' : why;
    }
    const page = this.#first ?? (await history.page({ ...this.#request, ...this.#place }));
    this.#first = undefined;
    this.#place = page.end;
    this.#isNewest = page.isNewest;
    return this.#stopped ? 'stopped' : page;
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
