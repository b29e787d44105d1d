import { failure, fromErrorData } from '../../errors.ts';
import type { Endpoint } from '../description/endpoint.ts';
import { knownMethods } from '../methods.ts';
import { isPreflight, preflightResponse } from '../middleware/cors.ts';
import { nothingAtPath, problemResponse, statusOfCode } from '../problem.ts';
import type { Header } from './header.ts';
import {
  type Handler,
  type HandlerResult,
  type HttpRequest,
  type HttpResponse,
  isRejection,
  type PendingResult,
  type Rejection,
} from './message.ts';

/** Methods of routes. GET implies HEAD, and every route supports OPTIONS (G-20, G-22). */
export type RouteMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * The part of a path that may follow the route's own path:
 * - absent: nothing except one trailing slash, which is ignored (G-10);
 * - a number of non-empty segments, with one trailing slash again ignored;
 * - `any`: at least one character after a slash, as sent;
 * - `tree`: nothing, or a slash and anything, as sent (the handler's `rest` then begins with the
 *   slash).
 */
export type RouteTail = number | 'any' | 'tree';

export interface Route {
  /** Without a trailing slash. */
  readonly path: string;
  readonly tail?: RouteTail;
  readonly methods: Readonly<Partial<Record<RouteMethod, Endpoint>>>;
  /** Replaces the default response to OPTIONS (but not to preflights). */
  readonly options?: Endpoint;
  /** Returns the value of `Allow` at one path, for a route whose paths differ in their methods. */
  readonly allow?: (request: HttpRequest, rest: string) => string;
  /**
   * Returns the headers of a problem, in place of the rejection's own ones. For routes whose
   * problems have headers that others lack.
   */
  readonly problemHeaders?: (rejection: Rejection, rest: string, request: HttpRequest) => readonly Header[];
}

const allowOrder = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** The name of all paths without a route, for monitoring. */
const UNKNOWN = 'unknown';

interface Entry {
  readonly route: Route;
  readonly pattern: string;
  readonly allow: string;
}

interface Match {
  readonly entry: Entry;
  readonly rest: string;
}

/**
 * Finds the handler of a request in a table of routes (http-api 1.2). The order of the routes does
 * not matter.
 */
export class Router {
  readonly #fixed = new Map<string, Entry>();
  /** Routes with a tail, by path. The longest path that matches the request wins. */
  readonly #tailed = new Map<string, Entry[]>();

  constructor(routes: readonly Route[]) {
    for (const route of routes) {
      const entry = { route, pattern: patternOf(route), allow: allowedMethods(route) };
      if (route.tail === undefined) this.#fixed.set(route.path, entry);
      else this.#tailed.set(route.path, [...(this.#tailed.get(route.path) ?? []), entry]);
    }
  }

  /** Throws errors of the server itself: they are logged, and not described to the client. */
  handle(request: HttpRequest): HttpResponse | Promise<HttpResponse> {
    if (request.path === '*') return aboutServer(request);
    const match = this.#match(request.path);
    request.route = match?.entry.pattern ?? UNKNOWN;
    if (match === undefined) return problemResponse(nothingAtPath, request);
    const result = handleMatch(match, request);
    return result instanceof Promise
      ? result.then((settled) => responseOf(settled, match, request))
      : responseOf(result, match, request);
  }

  /** Returns the path of the route that serves a path, with placeholders. */
  routeOf(path: string): string {
    return this.#match(path)?.entry.pattern ?? UNKNOWN;
  }

  #match(path: string): Match | undefined {
    const fixed = this.#fixed.get(path) ?? (path.endsWith('/') && this.#fixed.get(path.slice(0, -1)));
    if (fixed) return { entry: fixed, rest: '' };
    for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) {
      const found = this.#tailed.get(path.slice(0, end));
      const match = found && matchTail(found, path.slice(end));
      if (match) return match;
    }
    return undefined;
  }
}

/** The response to `OPTIONS *`, which only node:http passes on. */
function aboutServer(request: HttpRequest): HttpResponse {
  request.route = '*';
  return { status: 204, headers: [['Allow', [...allowOrder, 'OPTIONS'].join(', ')]] };
}

/** Returns the path of a route with a placeholder for its tail. */
export function patternOf({ path, tail }: Pick<Route, 'path' | 'tail'>): string {
  if (tail === undefined) return path;
  if (typeof tail === 'number') return path + '/{name}'.repeat(tail);
  return tail === 'any' ? `${path}/{rest}` : `${path}{rest}`;
}

function handleMatch({ entry, rest }: Match, request: HttpRequest): PendingResult {
  const handler = handlerFor(entry.route, request.method);
  if (handler) return handler(request, rest);
  if (request.method === 'OPTIONS') return handleOptions(entry, request, rest);
  return rejectMethod(entry, request, rest);
}

/** Turns the error that a handler returned into a response. */
function responseOf(result: HandlerResult, { entry, rest }: Match, request: HttpRequest): HttpResponse {
  if (!isRejection(result)) return result;
  const { error } = result;
  if (statusOfCode(error.code) === 500) throw fromErrorData(error);
  const headers = entry.route.problemHeaders?.(result, rest, request) ?? result.headers;
  return problemResponse(error, request, headers);
}

function withoutSlash(path: string): string {
  return path.endsWith('/') ? path.slice(0, -1) : path;
}

/** `tail` is empty or begins with a slash. */
function matchTail(entries: readonly Entry[], tail: string): Match | undefined {
  for (const entry of entries) {
    const rest = restOf(entry.route.tail!, tail);
    if (rest !== undefined) return { entry, rest };
  }
  return undefined;
}

function restOf(wanted: RouteTail, tail: string): string | undefined {
  if (wanted === 'tree') return tail;
  if (tail.length < 2) return undefined;
  if (wanted === 'any') return tail.slice(1);
  const segments = withoutSlash(tail).slice(1);
  const parts = segments.split('/');
  return parts.length === wanted && !parts.includes('') ? segments : undefined;
}

function handlerFor(route: Route, method: string): Handler | undefined {
  const name = method === 'HEAD' ? 'GET' : method;
  return Object.hasOwn(route.methods, name) ? route.methods[name as RouteMethod]?.handler : undefined;
}

function allowedMethods(route: Route): string {
  return [...allowOrder.filter((method) => handlerFor(route, method)), 'OPTIONS'].join(', ');
}

function allowOf({ route, allow }: Entry, request: HttpRequest, rest: string): string {
  return route.allow?.(request, rest) ?? allow;
}

function handleOptions(entry: Entry, request: HttpRequest, rest: string): PendingResult {
  if (isPreflight(request)) return preflightResponse(request, allowOf(entry, request, rest));
  if (entry.route.options) return entry.route.options.handler(request, rest);
  return { status: 204, headers: [['Allow', allowOf(entry, request, rest)]] };
}

/** Returns 405, or 501 for a method that no route supports (G-21). */
function rejectMethod(entry: Entry, request: HttpRequest, rest: string): Rejection {
  if (!knownMethods.has(request.method)) return unknownMethod;
  const rejection = failure('method-not-allowed', `${request.method} is not supported here.`);
  return { ...rejection, headers: [['Allow', allowOf(entry, request, rest)]] };
}

const unknownMethod = failure('unknown-method', 'The server does not know this method.');
