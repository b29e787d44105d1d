import { failure } from '../../../errors.ts';
import type { ResourceName } from '../../../services/resources/existence.ts';
import { withQuery } from '../../parameters.ts';
import { parseQuery, type Query } from '../../query.ts';
import type { Handler, HttpRequest, PendingResult, Rejection } from '../../server/message.ts';
import type { Route, RouteMethod } from '../../server/router.ts';
import { localResource, missingResource, queriedResource } from './target.ts';
import { parseTypedPath } from './typed-path.ts';

/** `mime`: the type in the path, empty if it has none. */
type Action = (request: HttpRequest, resource: ResourceName, mime: string) => PendingResult;
type Actions = Readonly<Partial<Record<RouteMethod, Action>>>;

export interface TypedActions {
  /** For `/meta/{mime}` and `/meta/{mime}/{uuid}`. */
  readonly typed: Actions;
  /** For `/meta` and `/meta/{uuid}`. */
  readonly plain: Actions;
}

const methodOrder = ['GET', 'PUT', 'DELETE'] as const;

/**
 * Returns the routes of `/meta` and `/content`, whose paths may contain a type, a resource, or both
 * (http-api 1.2, 3.7).
 */
export function typedRoutes(path: '/meta' | '/content', base: string, actions: TypedActions): Route[] {
  const { typed, plain } = actions;
  const handler = (method: RouteMethod): Handler =>
    withQuery((request, query, rest) => {
      const { mime, name } = parseTypedPath(rest, isQueried(query));
      const form = mime === undefined ? plain : typed;
      const resource = name === '' ? queriedResource(query) : localResource(name, base);
      if (!resource.ok) return resource;
      const action = form[method];
      if (!action) return rejectMethod(form, request);
      if (!resource.value) return missingResource();
      return action(request, resource.value, mime ?? '');
    });
  const allow = (request: HttpRequest, rest: string) => {
    const query = parseQuery(request.query);
    const { mime } = parseTypedPath(rest, query.ok && isQueried(query.value));
    return allowed(mime === undefined ? plain : typed);
  };
  return [
    { path, methods: handlersOf([plain], handler) },
    { path, tail: 'any', methods: handlersOf([plain, typed], handler), allow },
  ];
}

function handlersOf(forms: readonly Actions[], handler: (method: RouteMethod) => Handler): Route['methods'] {
  const methods = methodOrder.filter((method) => forms.some((form) => form[method]));
  return Object.fromEntries(methods.map((method) => [method, handler(method)]));
}

function isQueried(query: Query): boolean {
  return query.get('uri') !== undefined || query.get('genid') !== undefined;
}

function allowed(form: Actions): string {
  const names = methodOrder.filter((method) => form[method]);
  return [...names.flatMap((name) => (name === 'GET' ? ['GET', 'HEAD'] : [name])), 'OPTIONS'].join(', ');
}

function rejectMethod(form: Actions, { method }: HttpRequest): Rejection {
  const rejection = failure('method-not-allowed', `${method} is not supported here.`);
  return { ...rejection, headers: [['Allow', allowed(form)]] };
}

/** Wraps a write: blank nodes are read-only. */
export function ofUri(resource: ResourceName, act: (uri: string) => PendingResult): PendingResult {
  return resource.kind === 'uri' ? act(resource.uri) : missingResource();
}
