import type { ErrorData } from '../../errors.ts';
import type { Published } from '../messages.ts';
import type { Store } from '../thread/store.ts';
import type { SharedCommitter } from './shared-committer.ts';

interface FollowerHost {
  /** Called when there may be work. */
  readonly wake: () => void;
  /** Receives what has been published between groups. */
  readonly publish: (published: Published) => void;
  /** Receives the error of writes while the log can't be reached, and then undefined. */
  readonly tell: (unavailable: ErrorData | undefined) => void;
}

/** How long the end of a process waits for a group whose outcome is in doubt, in milliseconds. */
const GRACE_MS = 5000;

/** Keeps a store in step with the processes that share its log. */
export class LogFollower {
  readonly #store: Store;
  readonly #shared: SharedCommitter;
  readonly #host: FollowerHost;
  #told: ErrorData | undefined;
  #ending: NodeJS.Timeout | undefined;

  constructor(store: Store, shared: SharedCommitter, host: FollowerHost) {
    this.#store = store;
    this.#shared = shared;
    this.#host = host;
    shared.watch(() => this.#noteChange());
    this.#tell();
  }

  get hasWork(): boolean {
    return this.#shared.hasForeign;
  }

  /** Takes in what others have committed. Must be called between groups. */
  async takeTurn(): Promise<void> {
    if (this.hasWork) await this.#store.receive(this.#host.publish);
  }

  /** From now on the process ends, whether or not the log can be reached. */
  beginClosing(): void {
    this.#ending = setTimeout(() => void this.#shared.abandon(), GRACE_MS);
  }

  /** Must be called when the store is closed. */
  ended(): void {
    clearTimeout(this.#ending);
  }

  #noteChange(): void {
    this.#tell();
    this.#host.wake();
  }

  #tell(): void {
    const { unavailable } = this.#shared;
    if (unavailable === this.#told) return;
    this.#told = unavailable;
    this.#host.tell(unavailable);
  }
}
