import { AppError, toErrorData } from '../../errors.ts';
import type { TaskService } from '../../services/tasks.ts';
import { jsonReply, refuseUnlessJson } from '../json-reply.ts';
import type { Handler, HttpReply, HttpRequest } from '../message.ts';
import { withQuery } from '../parameters.ts';
import { problemReply } from '../problem.ts';
import type { Query } from '../query.ts';
import type { Route } from '../router.ts';

type Tasks = Pick<TaskService, 'byGroup' | 'byThread' | 'find'>;

/** The task lists (http-api section 6). */
export function taskRoutes(tasks: Tasks): Route[] {
  const list = withQuery((request, query) => send(request, tasks.byGroup(undefined, wantsQueued(query))));
  const group = withQuery((request, query, rest) => listGroup(tasks, request, query, rest));
  const byThread: Handler = (request) => send(request, tasks.byThread());
  return [
    { path: '/tasks', methods: { GET: list } },
    { path: '/tasks/byThread', methods: { GET: byThread } },
    { path: '/tasks', tail: 1, methods: { GET: group } },
    { path: '/tasks', tail: 2, methods: { GET: (request, rest) => showTask(tasks, request, rest) } },
  ];
}

function wantsQueued(query: Query): boolean {
  return query.get('queued') === 'true';
}

function listGroup(tasks: Tasks, request: HttpRequest, query: Query, rest: string): HttpReply {
  const names = decodeSegments(rest);
  if (names === undefined) return badPath(request);
  return send(request, tasks.byGroup(names[0]!, wantsQueued(query)));
}

function showTask(tasks: Tasks, request: HttpRequest, rest: string): HttpReply {
  const names = decodeSegments(rest);
  if (names === undefined) return badPath(request);
  const [group, name] = names as [string, string];
  const task = tasks.find(group, name);
  if (task) return send(request, task);
  const error = new AppError('task-not-found', `No task '${name}' runs in the group '${group}'.`);
  return problemReply(toErrorData(error), request);
}

function send(request: HttpRequest, value: unknown): HttpReply {
  return refuseUnlessJson(request) ?? jsonReply(JSON.stringify(value));
}

/** Path segments with their percent-escapes decoded (T-4); undefined when they are no UTF-8. */
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
