import type { Caller } from '../../base/caller.ts';
import { visiblePatterns } from '../../base/graph-access.ts';
import { Turns } from '../../base/turns.ts';
import type { ChangeHistory } from '../../changes/main/change-history.ts';
import type { WatchedSubjects } from '../../changes/messages.ts';
import { type ErrorData, failure, type Result, toErrorData } from '../../errors.ts';
import type { StoreClient } from '../../store/main/client.ts';
import { CommitWaves } from './commit-waves.ts';
import {
  ChangeStream,
  readPage,
  type StreamRequest,
  type StreamSource,
  type WatchedNode,
} from './page-stream.ts';

type Store = Pick<StoreClient, 'snapshot' | 'whenCommitted' | 'identityName'>;

/** How often the oldest commit may be removed while a stream begins there. */
const ATTEMPTS = 5;

/** Where a stream begins: after a commit, or at the oldest one that is kept. */
export type Beginning = number | 'oldest';

export interface ChangeSettings {
  readonly maxStreams: number;
  /** How long a request waits for a commit that its process does not have yet, in milliseconds. */
  readonly aheadMs: number;
}

/** A stream, as far as all kinds have it in common. */
interface OpenStream {
  /**
   * Number of the last commit that it has sent as a whole; undefined for a stream of something
   * else.
   */
  readonly since: number | undefined;
  /** The number of events that it has read. */
  readonly delivered: number;
  stop(): void;
}

/** What a client wants to follow, and from where on. */
type WantedStream = Omit<StreamRequest, 'since' | 'visible'> & { readonly since: Beginning };

/** `onStop`: to be called once, when the stream is stopped. */
type BeginStream<S> = (since: number, source: StreamSource, onStop: () => void) => Promise<S>;

/** Streams of changes for clients, and the places that streams of all kinds share. */
export class ChangeService {
  readonly #store: Store;
  readonly #source: StreamSource;
  readonly #settings: ChangeSettings;
  readonly #streams = new Set<OpenStream>();
  /** The streams of each subject and resource that is watched. */
  readonly #subjects = new Map<string, number>();
  readonly #resources = new Map<string, number>();
  #watched: WatchedSubjects = { version: 0, terms: [], resources: [] };
  #opening = 0;
  /** Events of streams that have ended. */
  #delivered = 0;
  #closed = false;

  constructor(store: Store, history: ChangeHistory, settings: ChangeSettings) {
    this.#store = store;
    this.#source = {
      history,
      waves: new CommitWaves(store),
      watched: () => this.#watched,
      turns: new Turns(),
    };
    this.#settings = settings;
  }

  /** Number of the newest commit. */
  get newest(): number {
    return this.#source.history.newest;
  }

  /** The number of open streams. */
  get open(): number {
    return this.#streams.size;
  }

  /** How many commits the slowest stream is behind. */
  get lag(): number {
    let lag = 0;
    for (const { since = this.newest } of this.#streams) lag = Math.max(lag, this.newest - since);
    return lag;
  }

  /** The number of events that streams have read. */
  get delivered(): number {
    let delivered = this.#delivered;
    for (const stream of this.#streams) delivered += stream.delivered;
    return delivered;
  }

  positionOf(commit: number): string {
    return this.#source.history.positionOf(commit);
  }

  /**
   * Returns where a stream begins that goes on from a position. Errors: `bad-query`, and
   * `position-gone` for a position of another data set.
   */
  async beginningAt(position: string): Promise<Result<Beginning>> {
    if (position === '0') return { ok: true, value: 'oldest' };
    const [, identity, digits] = /^([a-z0-9]{8})\.(\d{1,15})$/.exec(position) ?? [];
    if (identity === undefined) {
      return failure('bad-query', `${JSON.stringify(position)} is not a position, nor 0.`);
    }
    if (identity !== this.#store.identityName) {
      return { ok: false, error: await this.#gone(`${position} is a position of another data set.`) };
    }
    return { ok: true, value: Number(digits) };
  }

  /**
   * Opens a stream of commits, as far as the caller sees them. It must be stopped; it is, when the
   * client disconnects. Errors: `position-gone`, `overloaded`, `shutting-down`, `data-damaged`.
   */
  async follow(
    { since: beginning, ...wanted }: WantedStream,
    caller: Pick<Caller, 'access' | 'onAbort'>,
  ): Promise<Result<ChangeStream>> {
    const { watched } = wanted;
    const visible = visiblePatterns(caller);
    if (watched) this.#watch(watched, 1);
    const unwatch = () => watched && this.#watch(watched, -1);
    const opened = await this.openStream(beginning, caller, async (since, source, onStop) => {
      const request = { ...wanted, since, visible };
      const first = await readPage(source, request, { since });
      return new ChangeStream(source, request, first, () => {
        onStop();
        unwatch();
      });
    });
    if (!opened.ok) unwatch();
    return opened;
  }

  /**
   * The same for a stream of any kind, which `begin` creates when the server has the commit.
   */
  async openStream<S extends OpenStream>(
    since: Beginning,
    caller: Pick<Caller, 'onAbort'>,
    begin: BeginStream<S>,
  ): Promise<Result<S>> {
    if (since !== 'oldest') return this.#open(since, caller, begin);
    for (let attempt = 1; ; attempt++) {
      const oldest = await this.#oldest();
      if (!oldest.ok) return oldest;
      const opened = await this.#open(oldest.value, caller, begin);
      if (opened.ok || opened.error.code !== 'position-gone' || attempt === ATTEMPTS) return opened;
    }
  }

  async #oldest(): Promise<Result<number>> {
    try {
      return { ok: true, value: await this.#source.history.oldest() };
    } catch (error) {
      return { ok: false, error: toErrorData(error) };
    }
  }

  async #open<S extends OpenStream>(
    since: number,
    caller: Pick<Caller, 'onAbort'>,
    begin: BeginStream<S>,
  ): Promise<Result<S>> {
    if (this.#closed) return failure('shutting-down', 'The server is shutting down.');
    const { maxStreams, aheadMs } = this.#settings;
    if (this.#streams.size + this.#opening >= maxStreams) {
      const message = `The server has ${maxStreams} streams already (--max-streams).`;
      return failure('overloaded', message, { retryAfter: 5 });
    }
    this.#opening++;
    let isOpening = true;
    const endOpening = () => {
      if (isOpening) this.#opening--;
      isOpening = false;
    };
    // Those that wait for a commit must not be in the way of others when they are gone.
    caller.onAbort(endOpening);
    try {
      if (!(await this.#store.whenCommitted(since, aheadMs))) {
        const error = await this.#gone(`The data have no commit ${this.positionOf(since)}.`);
        return { ok: false, error };
      }
      const stream: S = await begin(since, this.#source, () => this.#forget(stream));
      this.#streams.add(stream);
      caller.onAbort(() => stream.stop());
      if (this.#closed) stream.stop();
      return { ok: true, value: stream };
    } catch (error) {
      return { ok: false, error: toErrorData(error) };
    } finally {
      endOpening();
    }
  }

  /** Ends all streams in order; later ones are rejected. */
  close(): void {
    this.#closed = true;
    for (const stream of [...this.#streams]) stream.stop();
  }

  #forget(stream: OpenStream): void {
    this.#streams.delete(stream);
    this.#delivered += stream.delivered;
  }

  /** `by`: how many streams more watch it. */
  #watch(node: WatchedNode, by: 1 | -1): void {
    if ('subject' in node) add(this.#subjects, node.subject, by);
    else add(this.#resources, node.resource, by);
    const version = this.#watched.version + 1;
    this.#watched = { version, terms: [...this.#subjects.keys()], resources: [...this.#resources.keys()] };
  }

  async #gone(reason: string): Promise<ErrorData> {
    const { history } = this.#source;
    return history.gone(reason, await history.oldest());
  }
}

function add(counts: Map<string, number>, name: string, by: number): void {
  const count = (counts.get(name) ?? 0) + by;
  if (count > 0) counts.set(name, count);
  else counts.delete(name);
}
