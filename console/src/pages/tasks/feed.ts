import { PathpoolError } from '../../../../src/library/client/entry.ts';
import { client } from '../../app/client.ts';
import { pause } from '../../app/pause.ts';
import { problemText } from '../../components/problem.tsx';
import type { LiveTasks } from './live-tasks.ts';
import { pollTasks } from './poll.ts';

/** Where the page gets its data from. */
export type FeedState =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'live' }
  /** `reason`: why there are no events. */
  | { readonly kind: 'polling'; readonly reason: string }
  /** Nothing comes. `isFinal`: nothing will, until the user does something. */
  | { readonly kind: 'failed'; readonly error: unknown; readonly isFinal: boolean };

/** Times after which another stream is tried, in milliseconds: the first one, and the longest. */
const RETRY_MS = 2000;
const LONGEST_RETRY_MS = 60_000;
/** The first event comes at once. After so many milliseconds, something holds it back. */
const PATIENCE_MS = 3000;

/**
 * Keeps tasks up to date until the signal is aborted: by events, and by polling while these do not
 * come.
 */
export class TaskFeed {
  readonly #tasks: LiveTasks;
  /** Called after each change. */
  readonly #onChange: (state: FeedState) => void;
  #endPolling: (() => void) | undefined;

  constructor(tasks: LiveTasks, onChange: (state: FeedState) => void) {
    this.#tasks = tasks;
    this.#onChange = onChange;
  }

  async run(signal: AbortSignal): Promise<void> {
    signal.addEventListener('abort', () => this.#stopPolling());
    let delay = RETRY_MS;
    while (!signal.aborted) {
      const error = await this.#follow(signal, () => {
        delay = RETRY_MS;
      });
      if (signal.aborted) return;
      if (isDenied(error)) {
        this.#stopPolling();
        this.#onChange({ kind: 'failed', error, isFinal: true });
        return;
      }
      this.#poll(reasonOf(error));
      await pause(delay, signal);
      delay = Math.min(LONGEST_RETRY_MS, delay * 2);
    }
  }

  /** Follows one stream, over lost connections, and returns why it ended. */
  async #follow(signal: AbortSignal, onOpen: () => void): Promise<unknown> {
    const patience = setTimeout(() => this.#poll('no event has arrived'), PATIENCE_MS);
    const end = () => clearTimeout(patience);
    signal.addEventListener('abort', end);
    try {
      const onLost = (error: unknown) => this.#poll(reasonOf(error));
      for await (const event of client.tasks.follow({ signal, onLost })) {
        end();
        onOpen();
        this.#stopPolling();
        if (event.type === 'state') this.#tasks.begin(event);
        else this.#tasks.apply(event);
        this.#onChange({ kind: 'live' });
      }
      return undefined;
    } catch (error) {
      return error;
    } finally {
      end();
      signal.removeEventListener('abort', end);
    }
  }

  #poll(reason: string): void {
    if (this.#endPolling) return;
    const update = () => this.#onChange({ kind: 'polling', reason });
    this.#endPolling = pollTasks({
      onTasks: (tasks) => {
        this.#tasks.noteTasks(tasks, Date.now());
        update();
      },
      onThreads: (threads) => {
        this.#tasks.noteThreads(threads, Date.now());
        update();
      },
      onError: (error) => this.#onChange({ kind: 'failed', error, isFinal: false }),
    });
  }

  #stopPolling(): void {
    this.#endPolling?.();
    this.#endPolling = undefined;
  }
}

/** Whether the user may not see the tasks, so that further requests are useless. */
function isDenied(error: unknown): boolean {
  return error instanceof PathpoolError && (error.status === 401 || error.status === 403);
}

function reasonOf(error: unknown): string {
  if (!(error instanceof PathpoolError)) return 'the connection was lost';
  if (error.status === 404 || error.status === 406) return 'the server sends no events';
  return problemText(error);
}
