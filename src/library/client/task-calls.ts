import type { CallOptions, Sender } from './sender.ts';

/** Work in progress (http-api 6.2). */
export interface Task {
  readonly id: string;
  /** Unique in its group. */
  readonly name: string;
  readonly group: string;
  /** `ended`: only a batch, and not in lists. */
  readonly state: 'queued' | 'running' | 'ended';
  readonly thread: string | null;
  readonly message: string | null;
  readonly progress: number;
  /** 0 if unknown. */
  readonly totalSteps: number;
  readonly unit: string | null;
  /** In milliseconds since 1970; so are `lastUpdate` and `eta`. */
  readonly started: number;
  readonly lastUpdate: number;
  /** Milliseconds since `started`. */
  readonly elapsed: number;
  readonly eta: number | null;
  readonly request: string | null;
  readonly client: string | null;
  readonly user: string | null;
  readonly detailMessages: Readonly<Record<string, string>>;
}

export interface TaskListOptions extends CallOptions {
  /** Also those that wait. */
  readonly queued?: boolean;
}

/** What the server is doing (http-api 6). */
export class TaskCalls {
  readonly #sender: Sender;

  constructor(sender: Sender) {
    this.#sender = sender;
  }

  /** Returns the tasks of each group that has one. */
  list({ queued = false, signal }: TaskListOptions = {}): Promise<Record<string, Task[]>> {
    return this.#sender.json('/tasks', { parameters: { queued } }, { signal });
  }

  get(group: string, name: string, options?: CallOptions): Promise<Task> {
    return this.#sender.json(pathOf(group, name), {}, options);
  }

  async cancel(group: string, name: string, options?: CallOptions): Promise<void> {
    await this.#sender.status(pathOf(group, name), { method: 'DELETE' }, options);
  }
}

function pathOf(group: string, name: string): string {
  return `/tasks/${encodeURIComponent(group)}/${encodeURIComponent(name)}`;
}
