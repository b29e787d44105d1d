import { seesEverything } from '../../base/graph-access.ts';
import { type Failure, failure, type Result } from '../../errors.ts';
import type { TaskMap } from '../../pool/tasks/map.ts';
import type { TaskService } from '../../services/tasks/listed-tasks.ts';
import type { TaskFeed } from '../../services/tasks/live-feed.ts';
import { processOf } from '../../services/tasks/process-tasks.ts';
import { endpoint } from '../description/endpoint.ts';
import type { GatheredTasks, TaskLists } from '../forwarding/tasks-elsewhere.ts';
import { failedMatch } from '../headers/conditional.ts';
import { jsonResponse, rejectUnlessJson } from '../json-response.ts';
import { withQuery } from '../parameters.ts';
import type { Query } from '../query.ts';
import {
  type HandlerResult,
  type HttpRequest,
  type HttpResponse,
  isRejection,
  type PendingResult,
} from '../server/message.ts';
import type { Route } from '../server/router.ts';
import { forWholeView } from '../whole-view.ts';
import { type Replacer, TaskEvents } from './task-events.ts';
import {
  cancelTask,
  followTasks,
  listTasks,
  listTasksByThread,
  listTasksOfGroup,
  readTask,
} from './task-operations.ts';

type Tasks = Pick<TaskService, 'byGroup' | 'byThread' | 'find' | 'cancel'>;

/** The tasks of the other processes of a cluster (T-30 to T-32). */
export interface OtherTasks {
  /** Whether another process asks, which wants the tasks of this one only. */
  isAsked(request: HttpRequest): boolean;
  gather(request: HttpRequest): Promise<GatheredTasks>;
  /** Has another process execute the request; undefined if it is no member. */
  execute(request: HttpRequest, process: string): Promise<HttpResponse> | undefined;
}

export interface TaskRouteOptions {
  /** Whether tasks can be cancelled by DELETE. */
  readonly cancel: boolean;
  /**
   * Whether clients without credentials see the callers of the tasks: addresses, user names and
   * targets.
   */
  readonly showCallers: boolean;
  /** Undefined on a single server. */
  readonly others?: OtherTasks;
  readonly feed: Pick<TaskFeed, 'follow'>;
}

/** Routes for the task lists, and for DELETE of a task (http-api section 6). */
export function taskRoutes(tasks: Tasks, options: TaskRouteOptions): Route[] {
  const handlers = new TaskHandlers(tasks, options);
  const list = withQuery((request, query) => handlers.list(request, query));
  const group = withQuery((request, query, rest) => handlers.listGroup(request, query, rest));
  const byThread = withQuery((request) => handlers.listByThread(request));
  const follow = forWholeView(withQuery((request) => handlers.follow(request)));
  const one = withQuery((request, _query, rest) => handlers.show(request, rest));
  const cancel = withQuery((request, _query, rest) => handlers.cancel(request, rest));
  return [
    { path: '/tasks', methods: { GET: endpoint(list, listTasks) } },
    { path: '/tasks/byThread', methods: { GET: endpoint(byThread, listTasksByThread) } },
    { path: '/tasks/events', methods: { GET: endpoint(follow, followTasks) } },
    { path: '/tasks', tail: 1, methods: { GET: endpoint(group, listTasksOfGroup) } },
    {
      path: '/tasks',
      tail: 2,
      methods: {
        GET: endpoint(one, readTask),
        ...(options.cancel && { DELETE: endpoint(cancel, cancelTask) }),
      },
    },
  ];
}

/** `path`: a group, or a group and the name of a task, as sent. */
class TaskHandlers {
  readonly #tasks: Tasks;
  readonly #showCallers: boolean;
  readonly #others: OtherTasks | undefined;
  readonly #events: TaskEvents;

  constructor(tasks: Tasks, { showCallers, others, feed }: TaskRouteOptions) {
    this.#tasks = tasks;
    this.#showCallers = showCallers;
    this.#others = others;
    this.#events = new TaskEvents(feed);
  }

  list(request: HttpRequest, query: Query): PendingResult {
    return this.#sendLists(request, this.#tasks.byGroup(undefined, wantsQueued(query)));
  }

  listGroup(request: HttpRequest, query: Query, path: string): PendingResult {
    const names = decodeSegments(path);
    if (!names.ok) return names;
    return this.#sendLists(request, this.#tasks.byGroup(names.value[0]!, wantsQueued(query)));
  }

  listByThread(request: HttpRequest): PendingResult {
    return this.#sendLists(request, this.#tasks.byThread());
  }

  follow(request: HttpRequest): PendingResult {
    return this.#events.follow(request, this.#replacerFor(request));
  }

  show(request: HttpRequest, path: string): PendingResult {
    const names = decodeSegments(path);
    if (!names.ok) return names;
    const [group, name] = names.value as [string, string];
    const task = this.#tasks.find(group, name);
    if (task) return isVisible(task, request) ? this.#send(request, task) : noTask(group, name);
    return this.#execute(request, name) ?? noTask(group, name);
  }

  /** Handles DELETE of a task (http-api 6.4). */
  cancel(request: HttpRequest, path: string): PendingResult {
    const names = decodeSegments(path);
    if (!names.ok) return names;
    const [group, name] = names.value as [string, string];
    const task = this.#tasks.find(group, name);
    if (task && !isVisible(task, request)) return noTask(group, name);
    const mismatch = failedMatch(request);
    if (mismatch && task) return mismatch;
    const cancellation = this.#tasks.cancel(group, name);
    if (cancellation === 'cancelled') return { status: 204, headers: [] };
    if (cancellation === 'not-found') return this.#execute(request, name) ?? noTask(group, name);
    const message = `The task '${name}' can't be cancelled: it belongs to the server or is about to end.`;
    return failure('server-managed', message);
  }

  /** Has the process execute the request with which the name of a task ends. */
  #execute(request: HttpRequest, name: string): Promise<HttpResponse> | undefined {
    if (!this.#others || this.#others.isAsked(request)) return undefined;
    return this.#others.execute(request, processOf(name));
  }

  #sendLists(request: HttpRequest, own: TaskLists): PendingResult {
    if (!this.#others) return this.#send(request, visibleLists(own, request));
    // The process that asks knows what its client may see, and leaves out the rest.
    if (this.#others.isAsked(request)) return sendJson(request, own);
    const unacceptable = rejectUnlessJson(request);
    return unacceptable ?? this.#sendAll(request, own, this.#others);
  }

  async #sendAll(request: HttpRequest, own: TaskLists, others: OtherTasks): Promise<HandlerResult> {
    const { lists, unreachable } = await others.gather(request);
    const response = this.#send(request, visibleLists(joined([own, ...lists]), request));
    if (unreachable.length === 0 || isRejection(response)) return response;
    return { ...response, headers: [...response.headers, ['Pathpool-Unreachable', unreachable.join(', ')]] };
  }

  #send(request: HttpRequest, value: unknown): HandlerResult {
    return sendJson(request, value, this.#replacerFor(request));
  }

  #replacerFor({ user }: HttpRequest): Replacer {
    return this.#showCallers || user !== undefined ? undefined : withoutCallers;
  }
}

function sendJson(request: HttpRequest, value: unknown, replacer?: Replacer): HandlerResult {
  return rejectUnlessJson(request) ?? jsonResponse(JSON.stringify(value, replacer));
}

function wantsQueued(query: Query): boolean {
  return query.has('queued') && (query.get('queued') ?? 'true') === 'true';
}

function joined(lists: readonly TaskLists[]): TaskLists {
  const all: Record<string, TaskLists[string]> = Object.create(null);
  for (const [key, tasks] of lists.flatMap((each) => Object.entries(each))) {
    all[key] = [...(all[key] ?? []), ...tasks];
  }
  return all;
}

/** Whether the client sees the task: all tasks, or only its own (http-api G-164). */
function isVisible({ user }: Pick<TaskMap, 'user'>, client: Pick<HttpRequest, 'user' | 'access'>): boolean {
  return seesEverything(client) || (user !== null && user === client.user);
}

function visibleLists(lists: TaskLists, client: HttpRequest): TaskLists {
  if (seesEverything(client)) return lists;
  const own = Object.entries(lists).map(([key, tasks]) => {
    return [key, tasks.filter((task) => isVisible(task, client))] as const;
  });
  return Object.fromEntries(own.filter(([, tasks]) => tasks.length > 0));
}

function noTask(group: string, name: string): Failure {
  return failure('task-not-found', `No task '${name}' runs in the group '${group}'.`);
}

const callerFields = new Set(['request', 'client', 'user']);

function withoutCallers(field: string, value: unknown): unknown {
  return callerFields.has(field) ? null : value;
}

/**
 * Returns path segments with their percent-escapes decoded (T-4). Error `bad-path` if they are not
 * UTF-8.
 */
function decodeSegments(path: string): Result<string[]> {
  try {
    return { ok: true, value: path.split('/').map(decodeURIComponent) };
  } catch {
    return failure('bad-path', 'The path has a percent-escape that is incomplete or not UTF-8.');
  }
}
