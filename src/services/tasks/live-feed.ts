import type { Caller } from '../../base/caller.ts';
import type { Result } from '../../errors.ts';
import type { ChangeService } from '../changes/service.ts';
import { readState, type StateSources, type TaskState } from './live-state.ts';

/** How often the states are read while anybody follows them. */
const TICK_MS = 250;

/**
 * Streams of the states of tasks and threads. Nothing is read or counted for them while there is
 * none, and once for all of them otherwise. They take places among the streams of changes.
 */
export class TaskFeed {
  readonly #sources: StateSources;
  readonly #places: Pick<ChangeService, 'openStream' | 'newest'>;
  readonly #streams = new Set<TaskStream>();
  #newest: TaskState | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(sources: StateSources, places: Pick<ChangeService, 'openStream' | 'newest'>) {
    this.#sources = sources;
    this.#places = places;
  }

  /** The number of open streams. */
  get open(): number {
    return this.#streams.size;
  }

  /**
   * Opens a stream. It must be stopped; it is, when the client disconnects and when the server
   * closes. Errors: `overloaded`, `shutting-down`.
   */
  follow(caller: Pick<Caller, 'onAbort'>): Promise<Result<TaskStream>> {
    return this.#places.openStream(this.#places.newest, caller, async (_since, _source, onStop) => {
      this.#newest ??= readState(this.#sources);
      this.#timer ??= setInterval(() => this.#tick(), TICK_MS);
      const stream = new TaskStream(this.#newest, () => {
        this.#forget(stream);
        onStop();
      });
      this.#streams.add(stream);
      return stream;
    });
  }

  #tick(): void {
    this.#newest = readState(this.#sources, this.#newest);
    for (const stream of this.#streams) stream.offer(this.#newest);
  }

  #forget(stream: TaskStream): void {
    this.#streams.delete(stream);
    if (this.#streams.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#newest = undefined;
  }
}

/** The newest state, whenever it is asked for: it holds no others. */
export class TaskStream {
  readonly since = undefined;
  readonly delivered = 0;
  readonly first: TaskState;
  readonly #onStop: () => void;
  /** One that was not taken yet. */
  #offered: TaskState | undefined;
  #stopped = false;
  #wake = () => {};

  /** `onStop`: called once. */
  constructor(first: TaskState, onStop: () => void) {
    this.first = first;
    this.#onStop = onStop;
  }

  offer(state: TaskState): void {
    this.#offered = state;
    this.#wake();
  }

  /** Returns the newest state that has not been returned, or waits for the next one. */
  async next(): Promise<TaskState | 'stopped'> {
    if (!this.#offered && !this.#stopped) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const state = this.#offered;
    this.#offered = undefined;
    return this.#stopped || !state ? 'stopped' : state;
  }

  stop(): void {
    if (this.#stopped) return;
    this.#stopped = true;
    this.#wake();
    this.#onStop();
  }
}
