import { AppError, toErrorData } from '../../errors.ts';
import type { TaskService } from '../../services/tasks/listed-tasks.ts';
import { jsonReply, refuseUnlessJson } from '../json-reply.ts';
import { withQuery } from '../parameters.ts';
import { problemReply } from '../problem.ts';
import type { Query } from '../query.ts';
import type { Handler, HttpReply, HttpRequest } from '../server/message.ts';
import type { Route } from '../server/router.ts';

type Send = (request: HttpRequest, value: unknown) => HttpReply;
type Tasks = Pick<TaskService, 'byGroup' | 'byThread' | 'find' | 'cancel'>;

export interface TaskRouteOptions {
  /** Whether tasks can be cancelled by DELETE. */
  readonly cancel: boolean;
  /**
   * Whether clients without credentials see the callers of the tasks: addresses, user names and
   * targets.
   */
  readonly showCallers: boolean;
}

/** Routes for the task lists, and for DELETE of a task (http-api section 6). */
export function taskRoutes(tasks: Tasks, options: TaskRouteOptions): Route[] {
  const send: Send = (request, value) => {
    const hides = !options.showCallers && request.user === undefined;
    return refuseUnlessJson(request) ?? jsonReply(JSON.stringify(value, hides ? withoutCallers : undefined));
  };
  const list = withQuery((request, query) => send(request, tasks.byGroup(undefined, wantsQueued(query))));
  const group = withQuery((request, query, rest) => listGroup(tasks, send, request, query, rest));
  const byThread = withQuery((request) => send(request, tasks.byThread()));
  const one = withName((request, group, name) => showTask(tasks, send, request, group, name));
  const cancel = withName((request, group, name) => cancelTask(tasks, request, group, name));
  return [
    { path: '/tasks', methods: { GET: list } },
    { path: '/tasks/byThread', methods: { GET: byThread } },
    { path: '/tasks', tail: 1, methods: { GET: group } },
    { path: '/tasks', tail: 2, methods: { GET: one, ...(options.cancel && { DELETE: cancel }) } },
  ];
}

function wantsQueued(query: Query): boolean {
  return query.has('queued') && (query.get('queued') ?? 'true') === 'true';
}

function listGroup(tasks: Tasks, send: Send, request: HttpRequest, query: Query, rest: string): HttpReply {
  const names = decodeSegments(rest);
  if (names === undefined) return badPath(request);
  return send(request, tasks.byGroup(names[0]!, wantsQueued(query)));
}

type NameHandler = (request: HttpRequest, group: string, name: string) => HttpReply;

function withName(handler: NameHandler): Handler {
  return withQuery((request, _query, rest) => {
    const names = decodeSegments(rest);
    return names ? handler(request, names[0]!, names[1]!) : badPath(request);
  });
}

function showTask(tasks: Tasks, send: Send, request: HttpRequest, group: string, name: string): HttpReply {
  const task = tasks.find(group, name);
  return task ? send(request, task) : noTask(request, group, name);
}

/** Handles DELETE of a task (http-api 6.4). */
function cancelTask(tasks: Tasks, request: HttpRequest, group: string, name: string): HttpReply {
  const cancellation = tasks.cancel(group, name);
  if (cancellation === 'cancelled') return { status: 204, headers: [] };
  if (cancellation === 'not-found') return noTask(request, group, name);
  const error = new AppError(
    'server-managed',
    `The task '${name}' can't be cancelled: it belongs to the server or is about to end.`,
  );
  return problemReply(toErrorData(error), request);
}

function noTask(request: HttpRequest, group: string, name: string): HttpReply {
  const error = new AppError('task-not-found', `No task '${name}' runs in the group '${group}'.`);
  return problemReply(toErrorData(error), request);
}

const callerFields = new Set(['request', 'client', 'user']);

function withoutCallers(field: string, value: unknown): unknown {
  return callerFields.has(field) ? null : value;
}

/**
 * Returns path segments with their percent-escapes decoded (T-4), or undefined if they are not
 * UTF-8.
 */
function decodeSegments(rest: string): string[] | undefined {
  try {
    return rest.split('/').map(decodeURIComponent);
  } catch {
    return undefined;
  }
}

function badPath(request: HttpRequest): HttpReply {
  const error = new AppError('bad-path', 'The path has a percent-escape that is incomplete or not UTF-8.');
  return problemReply(toErrorData(error), request);
}
