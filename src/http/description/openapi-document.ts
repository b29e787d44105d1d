import type { ErrorCode } from '../../errors.ts';
import { isMonitoring } from '../middleware/probes.ts';
import { statusOfCode } from '../problem.ts';
import { onlyReads } from '../server/only-reads.ts';
import type { Route, RouteMethod } from '../server/router.ts';
import { Components, headersOf, type Json } from './components.ts';
import type {
  Content,
  DescribedResponse,
  ExampleRequest,
  Operation,
  Parameter,
} from './described-operation.ts';
import { tags } from './operation-tags.ts';
import {
  ofEveryRequest,
  ofEveryWrite,
  ofGuardedRequests,
  ofNamedHosts,
  ofPausedRequests,
} from './problem-groups.ts';
import { commitParameters } from './shared-parameters.ts';

/** What the document says about the server as a whole. */
export interface ServerDescription {
  /** The base URL, without a trailing slash. */
  readonly base: string;
  readonly version: string;
  /** Which requests need credentials: none, those that write, or all. */
  readonly guards: 'nothing' | 'writes' | 'everything';
  /** Whether requests that write may be redirected to another process of a cluster. */
  readonly redirectsWrites?: boolean;
}

/** An operation at one of its paths. */
interface Place {
  readonly path: string;
  readonly method: RouteMethod | 'OPTIONS';
  readonly operation: Operation;
}

/** Returns the description of these routes in OpenAPI 3.1. */
export function openApiDocument(
  routes: readonly Route[],
  { base, version, guards, redirectsWrites = false }: ServerDescription,
): Json {
  const components = new Components();
  const isGuarded = guards !== 'nothing';
  const paths: Record<string, Record<string, Json>> = {};
  for (const place of routes.flatMap(placesOf)) {
    const item = paths[place.path] ?? {};
    paths[place.path] = item;
    const security = isGuarded ? securityOf(place, guards === 'writes') : {};
    const shown = redirectsWrites ? withRedirect(place) : place;
    item[place.method.toLowerCase()] = { ...describe(shown, components), ...security };
    if (place.method === 'GET') {
      item['head'] = { ...describe(headOf(place), components, 'HEAD'), ...security };
    }
  }
  for (const item of Object.values(paths)) item['options'] ??= describeOptions();
  return {
    openapi: '3.1.1',
    info: { title: 'Pathpool', version, description: INFO, license },
    servers: [{ url: base }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    security: isGuarded ? schemes : [],
    paths,
    components: components.toJson(),
  };
}

const license = { name: 'Apache-2.0', identifier: 'Apache-2.0' };

const INFO = [
  'A linked-data server: named graphs, resources, LDPath, the Linked Data Platform and SPARQL.',
  'Rules such as G-10 are those of docs/http-api.md.',
  'A method that is not listed for a path is 405, an unknown method 501, another path 404.',
  'The examples belong together: the example `people` of `PUT /dataset` stores what others read.',
].join(' ');

const schemes = [{ basic: [] }, { bearer: [] }] as const;

/** Whether credentials and commits that a request names make no difference. */
function isForAll({ open, unguarded }: Operation): boolean {
  return open === true || unguarded === true;
}

/** Returns what an operation demands if that is not what the others do. */
function securityOf({ path, method, operation }: Place, readsAreOpen: boolean): Json {
  if (isForAll(operation)) return { security: [] };
  const isOpen = readsAreOpen && !operation.forUsers && onlyReads(headOfRequest(method, path));
  return isOpen ? { security: [{}, ...schemes] } : {};
}

function placesOf(route: Route): Place[] {
  const endpoints = [...Object.entries(route.methods), ['OPTIONS', route.options] as const];
  return endpoints.flatMap(([method, endpoint]) =>
    (endpoint?.operations ?? []).flatMap((operation) =>
      (operation.tails ?? ['']).map((tail) => ({
        path: route.path + tail,
        method: method as Place['method'],
        operation,
      })),
    ),
  );
}

/** Of a process without the lease (G-154). */
function withRedirect(place: Place): Place {
  const { method, path, operation } = place;
  const isForm = method === 'POST' && path === '/sparql';
  if (onlyReads(headOfRequest(method, path)) && !isForm) return place;
  const description = 'Another process executes the request: repeat it at `Location`.';
  const redirect = { description, headers: ['Location'] } as const;
  return { ...place, operation: { ...operation, responses: { ...operation.responses, 307: redirect } } };
}

/** HEAD has the responses of GET without their bodies. The examples are those of GET. */
function headOf(place: Place): Place {
  const { summary, responses } = place.operation;
  const withoutBodies = Object.entries(responses).map(([status, { content: _, ...rest }]) => [status, rest]);
  const operation = {
    ...place.operation,
    summary: `${summary}: header fields only`,
    responses: Object.fromEntries(withoutBodies),
    examples: [],
  };
  return { ...place, operation };
}

function describeOptions(): Json {
  const headers = headersOf(['Allow']);
  return {
    tags: ['Server'],
    summary: 'List the methods',
    responses: { 204: { description: '`Allow` lists the methods.', headers } },
  };
}

function describe(place: Place, components: Components, method: string = place.method): Json {
  const { path, operation } = place;
  const { tag, summary, description, parameters = [], body } = operation;
  const examples = operation.examples?.filter((example) => isAt(path, example, parameters)) ?? [];
  const own = parameters.filter((parameter) => isIn(path, parameter));
  const ofCommits = isForAll(operation) ? [] : commitParameters.map((each) => components.shared(each));
  return {
    operationId: operationId(method, path),
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    parameters: [...own.map((parameter) => components.parameter(parameter, examples)), ...ofCommits],
    ...(body && {
      requestBody: {
        ...(body.description !== undefined && { description: body.description }),
        required: body.required ?? false,
        content: contentOf(body.content, components, requestBodies(examples)),
      },
    }),
    responses: allResponses(place, components, examples),
    ...(examples.length > 0 && { 'x-example-statuses': statusesOf(examples) }),
  };
}

/**
 * Examples of one name in the parameters, the body and a response of an operation are those of one
 * request. OpenAPI has no place for its status.
 */
function statusesOf(examples: readonly ExampleRequest[]): Json {
  return Object.fromEntries(examples.map(({ name, status }) => [name, status] as const));
}

/** Whether a parameter belongs to a path. Other parameters than those of paths always do. */
function isIn(path: string, { name, in: place }: Parameter): boolean {
  return place !== 'path' || path.includes(`{${name}}`);
}

/** Whether an example has a value for each parameter of the path, and for no other one. */
function isAt(path: string, example: ExampleRequest, parameters: readonly Parameter[]): boolean {
  return parameters.every(
    (parameter) =>
      parameter.in !== 'path' || parameter.name in (example.parameters ?? {}) === isIn(path, parameter),
  );
}

/** Returns a name such as `getContextByUuid`. */
function operationId(method: string, path: string): string {
  const words = path
    .split('/')
    .flatMap((segment) => segment.replace(/^\{(.*)\}$/, 'by-$1').split(/[^A-Za-z0-9]+/))
    .filter((word) => word !== '');
  return [method.toLowerCase(), ...words.map((word) => word[0]!.toUpperCase() + word.slice(1))].join('');
}

/** A response with the status of an error may be a problem as well. */
function allResponses(
  place: Place,
  components: Components,
  examples: readonly ExampleRequest[],
): Record<string, Json> {
  const problems = problemsOf(place);
  const described: Record<string, Json> = {};
  for (const [status, codes] of problems) described[status] = components.problem(status, codes);
  for (const [status, response] of Object.entries(place.operation.responses)) {
    const shown = examples.filter((example) => example.status === Number(status));
    const own = describeResponse(withCommit(response, place), components, shown);
    const codes = problems.get(Number(status));
    described[status] = codes ? components.alsoProblem(own, Number(status), codes) : own;
  }
  return described;
}

/** Responses to writes name the commit. */
function withCommit(response: DescribedResponse, { method, path }: Place): DescribedResponse {
  if (onlyReads(headOfRequest(method, path))) return response;
  return { ...response, headers: [...(response.headers ?? []), 'Pathpool-Commit'] };
}

function describeResponse(
  { description, headers, content }: DescribedResponse,
  components: Components,
  examples: readonly ExampleRequest[],
): Json {
  return {
    description,
    ...(headers && { headers: headersOf(headers) }),
    ...(content && { content: contentOf(content, components, responseBodies(examples)) }),
  };
}

/** An example of a body of one media type. */
interface BodyExample {
  readonly name: string;
  readonly summary: string;
  readonly type: string;
  readonly value: unknown;
}

function requestBodies(examples: readonly ExampleRequest[]): BodyExample[] {
  return examples.flatMap(({ name, summary, body }) =>
    body ? [{ name, summary, type: body.type, value: bodyValue(body) }] : [],
  );
}

/** A value of JSON, so that readers can check it against the schema. */
function bodyValue({ type, text }: { readonly type: string; readonly text: string }): unknown {
  return type === 'application/json' ? JSON.parse(text) : text;
}

function responseBodies(examples: readonly ExampleRequest[]): BodyExample[] {
  return examples.flatMap(({ name, summary, response }) =>
    response ? [{ name, summary, ...response }] : [],
  );
}

/** An example of a media type that only a wildcard describes is one of the wildcard. */
function contentOf(content: Content, components: Components, examples: readonly BodyExample[]): Json {
  const described = Object.entries(content).map(([type, schema]) => {
    const own = examples.filter((each) => each.type === type || (type === '*/*' && !(each.type in content)));
    const shown = own.map(({ name, summary, value }) => [name, { summary, value }] as const);
    return [
      type,
      { schema: components.schema(schema), ...(shown.length > 0 && { examples: Object.fromEntries(shown) }) },
    ] as const;
  });
  return Object.fromEntries(described);
}

/** A request of which nothing else is known. */
function headOfRequest(method: string, path: string): Parameters<typeof onlyReads>[0] {
  return { method, path, header: () => undefined };
}

/** Returns the error codes of an operation by their status. */
function problemsOf({ path, method, operation }: Place): Map<number, ErrorCode[]> {
  const codes = new Set([
    ...ofEveryRequest,
    ...(operation.open ? [] : ofNamedHosts),
    ...(isForAll(operation) ? [] : ofGuardedRequests),
    ...(isMonitoring(path) ? [] : ofPausedRequests),
    ...(onlyReads(headOfRequest(method, path)) ? [] : ofEveryWrite),
    ...operation.problems,
  ]);
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of [...codes].sort()) {
    const status = statusOfCode(code);
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return byStatus;
}
