import { failure } from '../../../errors.ts';
import type { ResourceName } from '../../../services/resources/existence.ts';
import type { Operation } from '../../description/described-operation.ts';
import { type Endpoint, endpoint } from '../../description/endpoint.ts';
import { required, uuid } from '../../description/shared-parameters.ts';
import { withQuery } from '../../parameters.ts';
import { parseQuery, type Query } from '../../query.ts';
import type { Handler, HttpRequest, PendingResult, Rejection } from '../../server/message.ts';
import type { Route, RouteMethod } from '../../server/router.ts';
import { genid, mimeParameters, uri } from './operations.ts';
import { localResource, missingResource, queriedResource } from './target.ts';
import { parseTypedPath } from './typed-path.ts';

/** `mime`: the type in the path, empty if it has none. */
interface Action {
  readonly act: (request: HttpRequest, resource: ResourceName, mime: string) => PendingResult;
  readonly operation: Operation;
}
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
      return action.act(request, resource.value, mime ?? '');
    });
  const endpointOf = (method: RouteMethod, forms: readonly Form[]) => {
    const [first, ...more] = forms.flatMap((form) => operationsOf(form, method));
    return first && endpoint(handler(method), first, ...more);
  };
  const allow = (request: HttpRequest, rest: string) => {
    const query = parseQuery(request.query);
    const { mime } = parseTypedPath(rest, query.ok && isQueried(query.value));
    return allowed(mime === undefined ? plain : typed);
  };
  return [
    { path, methods: methodsOf((method) => endpointOf(method, [{ actions: plain, tails: [''] }])) },
    {
      path,
      tail: 'any',
      methods: methodsOf((method) =>
        endpointOf(method, [
          { actions: plain, tails: ['/{uuid}'] },
          { actions: typed, tails: ['/{type}/{subtype}', '/{type}/{subtype}/{uuid}'] },
        ]),
      ),
      allow,
    },
  ];
}

/** What the methods do at some paths of a route. */
interface Form {
  readonly actions: Actions;
  readonly tails: readonly string[];
}

function methodsOf(endpointOf: (method: RouteMethod) => Endpoint | undefined): Route['methods'] {
  const endpoints = methodOrder.map((method) => [method, endpointOf(method)] as const);
  return Object.fromEntries(endpoints.filter(([, endpoint]) => endpoint !== undefined));
}

/**
 * Returns an operation for each path of the form. Its path parameters are those of the path, and
 * only paths without a local name have the parameters that name the resource.
 */
function operationsOf({ actions, tails }: Form, method: RouteMethod): Operation[] {
  const operation = actions[method]?.operation;
  if (operation === undefined) return [];
  return tails.map((tail) => {
    const isLocal = tail.includes('{uuid}');
    const named = isLocal ? [uuid] : method === 'GET' ? [uri, genid] : [required(uri)];
    const typed = tail.includes('{type}') ? mimeParameters : [];
    const examples = operation.examples?.filter(({ parameters }) =>
      parameters ? 'uuid' in parameters === isLocal : false,
    );
    const parameters = [...typed, ...named, ...(operation.parameters ?? [])];
    return { ...operation, tails: [tail], parameters, ...(examples && { examples }) };
  });
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
