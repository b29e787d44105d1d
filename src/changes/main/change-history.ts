import type { Worker } from 'node:worker_threads';
import type { ClusterSettings } from '../../cluster/settings.ts';
import { type ErrorData, errorData, fromErrorData, shuttingDown, toErrorData } from '../../errors.ts';
import { startWorker } from '../../pool/threads/worker-url.ts';
import type { SnapshotDescriptor } from '../../snapshot/descriptor.ts';
import { DescriptorSender } from '../../snapshot/feed/descriptor-link.ts';
import type {
  ChangedRows,
  ChangesSettings,
  DatedCommit,
  EarlierGraph,
  FromChanges,
  GraphRequest,
  Page,
  PageRequest,
  RowsRequest,
  ToChanges,
} from '../messages.ts';

/** After this time without requests the thread is ended, in milliseconds: it holds a snapshot. */
const IDLE_MS = 30_000;

/** What of the store changes are read from. */
export interface ChangeSource {
  readonly snapshot: SnapshotDescriptor;
  readonly changeFeed: SharedArrayBuffer;
  readonly identityName: string;
}

interface Waiting {
  readonly resolve: (value: never) => void;
  readonly reject: (error: Error) => void;
}

/** The thread, and the requests that it has not answered. */
interface RunningThread {
  readonly worker: Worker;
  readonly descriptors: DescriptorSender;
  readonly waiting: Map<number, Waiting>;
}

/**
 * The commits of the store, oldest first: those in the ring, and on disk those in the journal and
 * in the retained history, or in the log of a cluster. A thread of its own reads them; it is
 * started for the first request, and ended when there have been none for a while.
 */
export class ChangeHistory {
  readonly #source: ChangeSource;
  readonly #directory: string | null;
  readonly #cluster: ClusterSettings | undefined;
  /** The requests for pages that are running, by what they ask for: many streams ask for one. */
  readonly #pages = new Map<string, Promise<Page>>();
  #thread: RunningThread | undefined;
  #idle: NodeJS.Timeout | undefined;
  #nextId = 1;
  #closed = false;

  /**
   * `directory`: with the journal and the retained history; null if there are none. `cluster`:
   * whose log has earlier commits.
   */
  constructor(source: ChangeSource, directory: string | null, cluster?: ClusterSettings) {
    this.#source = source;
    this.#directory = directory;
    this.#cluster = cluster;
  }

  /** Number of the newest commit. */
  get newest(): number {
    return this.#source.snapshot.sequence;
  }

  /** The position of a commit, as clients see it. */
  positionOf(commit: number): string {
    return `${this.#source.identityName}.${commit}`;
  }

  /**
   * Returns the changes after a place: up to 1,000 events, a mebibyte of rows, or 262,144 rows that
   * are counted, and whatever the last event has beyond that. Errors: `position-gone` if they are
   * not kept any more; `data-damaged`, `shutting-down`.
   */
  page(request: PageRequest): Promise<Page> {
    const { since, part, rows, graph, subjects } = request;
    const key = JSON.stringify([this.newest, since, part, rows, graph, subjects?.version]);
    let page = this.#pages.get(key);
    page ??= this.#ask<Page>({ kind: 'page', ...request }).finally(() => this.#pages.delete(key));
    this.#pages.set(key, page);
    return page;
  }

  /**
   * Returns what the commits after `from`, up to `to`, change together; `too-many` if that is more
   * than `maxQuads`, or more than 128 MiB of terms, or if the commits have more than four million
   * rows. Errors: those of `page`.
   */
  rowsBetween(from: number, to: number, maxQuads: number): Promise<ChangedRows | 'too-many'> {
    const request: RowsRequest = { from, to, maxQuads };
    return this.#ask({ kind: 'rows', ...request });
  }

  /**
   * Returns how a graph was after a commit; `too-many` if it differs in more than `maxQuads`, or in
   * more than 16 MiB of terms, or if later commits have more than four million rows. Errors:
   * `position-gone` with the number of the oldest commit that can be read, `data-damaged`.
   */
  earlierGraph(request: GraphRequest): Promise<EarlierGraph | 'too-many'> {
    return this.#ask({ kind: 'graph', ...request });
  }

  /**
   * Returns the last commit until a time, in milliseconds since 1970; if they are all later, the
   * oldest one that is kept; null if none is kept. Errors: those of `page`.
   */
  lastUntil(time: number): Promise<DatedCommit | null> {
    return this.#ask({ kind: 'last-until', time });
  }

  /** Returns the number of the commit after which all are kept. */
  oldest(): Promise<number> {
    return this.#ask({ kind: 'oldest' });
  }

  /** Ends the thread; running and later requests are rejected with `shutting-down`. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#end(shuttingDown());
  }

  #ask<T>(request: ToChanges['request']): Promise<T> {
    if (this.#closed) return Promise.reject(fromErrorData(shuttingDown()));
    clearTimeout(this.#idle);
    this.#thread ??= this.#start();
    const { worker, descriptors, waiting } = this.#thread;
    const id = this.#nextId++;
    return new Promise<T>((resolve, reject) => {
      waiting.set(id, { resolve, reject });
      const message: ToChanges = { id, snapshot: descriptors.update(this.#source.snapshot), request };
      worker.postMessage(message);
    });
  }

  #start(): RunningThread {
    const { changeFeed: feed, identityName: identity } = this.#source;
    const log = this.#cluster && { cluster: this.#cluster, identity };
    const settings: ChangesSettings = { feed, directory: this.#directory, log };
    const worker = startWorker('changes', settings);
    const waiting = new Map<number, Waiting>();
    const thread = { worker, descriptors: new DescriptorSender(), waiting };
    const fail = (cause: unknown) => {
      if (this.#thread === thread) this.#thread = undefined;
      rejectAll(waiting, toErrorData(cause));
    };
    worker.on('message', (message: FromChanges) => this.#settle(thread, message));
    worker.on('error', fail);
    worker.on('exit', () => fail(new Error('The thread that reads changes has ended.')));
    worker.unref();
    return thread;
  }

  #settle({ waiting }: RunningThread, message: FromChanges): void {
    const waiter = waiting.get(message.id);
    waiting.delete(message.id);
    if (waiting.size === 0) this.#idle = setTimeout(() => this.#end(shuttingDown()), IDLE_MS).unref();
    if ('value' in message) waiter?.resolve(message.value as never);
    else waiter?.reject(fromErrorData(this.#worded(message.error)));
  }

  #worded({ code, message, details }: ErrorData): ErrorData {
    if (code !== 'position-gone') return { code, message, details };
    return this.gone(`The changes ${message} are not kept any more.`, Number(details.oldest));
  }

  /** The error of a position that is not kept. `oldest`: number of the oldest one that is. */
  gone(reason: string, oldest: number): ErrorData {
    const position = this.positionOf(oldest);
    const advice = `Read the data anew, then go on from a position of now; the oldest that is kept is ${position}.`;
    return errorData('position-gone', `${reason} ${advice}`, { oldest: position });
  }

  async #end(error: ErrorData): Promise<void> {
    clearTimeout(this.#idle);
    const thread = this.#thread;
    this.#thread = undefined;
    if (!thread) return;
    rejectAll(thread.waiting, error);
    await thread.worker.terminate();
  }
}

function rejectAll(waiting: Map<number, Waiting>, error: ErrorData): void {
  for (const { reject } of waiting.values()) reject(fromErrorData(error));
  waiting.clear();
}
