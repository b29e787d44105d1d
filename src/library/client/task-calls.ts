import { liveEvents } from './live-events.ts';
import type { CallOptions, Sender } from './sender.ts';
import type { FollowTasksOptions, Task, TaskChange, TaskState } from './task-types.ts';

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

  /** Returns the running tasks of each thread. */
  byThread(options?: CallOptions): Promise<Record<string, Task[]>> {
    return this.#sender.json('/tasks/byThread', {}, options);
  }

  get(group: string, name: string, options?: CallOptions): Promise<Task> {
    return this.#sender.json(pathOf(group, name), {}, options);
  }

  /**
   * Yields the state of now, and then what changes, at most four times a second. After a lost
   * connection the state comes again.
   */
  async *follow(options: FollowTasksOptions = {}): AsyncGenerator<TaskState | TaskChange, void, undefined> {
    for await (const { type, data } of liveEvents(this.#sender, '/tasks/events', {}, options)) {
      if (data === undefined || (type !== 'state' && type !== 'change')) continue;
      yield { ...JSON.parse(data), type } as TaskState | TaskChange;
    }
  }

  async cancel(group: string, name: string, options?: CallOptions): Promise<void> {
    await this.#sender.status(pathOf(group, name), { method: 'DELETE' }, options);
  }
}

function pathOf(group: string, name: string): string {
  return `/tasks/${encodeURIComponent(group)}/${encodeURIComponent(name)}`;
}
