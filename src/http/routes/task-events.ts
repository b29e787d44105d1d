import { failure } from '../../errors.ts';
import { negotiate } from '../../rdf/media-types/accept.ts';
import type { TaskFeed, TaskStream } from '../../services/tasks/live-feed.ts';
import type { TaskState } from '../../services/tasks/live-state.ts';
import { changesBetween } from '../../services/tasks/state-changes.ts';
import type { HandlerResult, HttpRequest } from '../server/message.ts';
import { EVENT_STREAM, eventStreamHeaders, HEARTBEAT_MS } from './changes/event-stream.ts';
import { untilStopped } from './changes/stopped-body.ts';

/** Leaves out what a client must not see. */
export type Replacer = ((field: string, value: unknown) => unknown) | undefined;

/** Live tasks and threads as server-sent events (http-api 6.10). */
export class TaskEvents {
  readonly #feed: Pick<TaskFeed, 'follow'>;
  readonly #texts = new Map<Replacer, SharedTexts>();

  constructor(feed: Pick<TaskFeed, 'follow'>) {
    this.#feed = feed;
  }

  /** Errors: `not-acceptable`, and those of `TaskFeed.follow`. */
  async follow(request: HttpRequest, replacer: Replacer): Promise<HandlerResult> {
    if (!negotiate(request.header('accept'), [{ type: EVENT_STREAM }])) {
      const available = [EVENT_STREAM];
      return failure('not-acceptable', 'Live tasks are server-sent events.', { available });
    }
    const stream = await this.#feed.follow(request);
    if (!stream.ok) return stream;
    const texts = this.#texts.get(replacer) ?? new SharedTexts(replacer);
    this.#texts.set(replacer, texts);
    const body = untilStopped(stream.value, taskEvents(stream.value, texts));
    return { status: 200, headers: eventStreamHeaders, body, isUnlisted: true };
  }
}

async function* taskEvents(stream: TaskStream, texts: SharedTexts): AsyncGenerator<Uint8Array> {
  try {
    let before = stream.first;
    yield texts.first(before);
    let sent = performance.now();
    for (let state = await stream.next(); state !== 'stopped'; state = await stream.next()) {
      const text = texts.between(before, state);
      before = state;
      if (!text && performance.now() - sent < HEARTBEAT_MS) continue;
      yield text ?? heartbeat;
      sent = performance.now();
    }
  } finally {
    stream.stop();
  }
}

const heartbeat = Buffer.from(':\n\n');

/** The texts of events. Clients that keep up get the same ones, which are written once. */
class SharedTexts {
  readonly #replacer: Replacer;
  /** The events that lead to a state from another one. They keep neither of them. */
  readonly #changes = new WeakMap<TaskState, WeakMap<TaskState, Uint8Array | null>>();

  constructor(replacer: Replacer) {
    this.#replacer = replacer;
  }

  first({ time, tasks, unlisted, groups, threads }: TaskState): Uint8Array {
    const counts = Array.from(groups, ([name, { running, queued }]) => [name, { running, queued }] as const);
    const live = counts.filter(([, { running, queued }]) => running + queued > 0);
    const state = {
      ...{ time, tasks: byGroup(tasks), unlisted, groups: Object.fromEntries(live) },
      threads: threads.map(({ thread, task }) => ({ thread, task })),
    };
    return Buffer.from(`retry: 1000\n${this.#event('state', state)}`);
  }

  /** Undefined if nothing has changed. */
  between(from: TaskState, to: TaskState): Uint8Array | undefined {
    const known = this.#changes.get(to) ?? new WeakMap<TaskState, Uint8Array | null>();
    this.#changes.set(to, known);
    let text = known.get(from);
    if (text === undefined) {
      const changes = changesBetween(from, to);
      text = changes ? Buffer.from(this.#event('change', changes)) : null;
      known.set(from, text);
    }
    return text ?? undefined;
  }

  #event(name: string, data: object): string {
    return `event: ${name}\ndata: ${JSON.stringify(data, this.#replacer)}\n\n`;
  }
}

function byGroup(tasks: TaskState['tasks']): Record<string, unknown[]> {
  const groups: Record<string, unknown[]> = Object.create(null);
  for (const { task } of tasks.values()) groups[task.group] = [...(groups[task.group] ?? []), task];
  return groups;
}
