import { visiblePatterns } from '../../../base/graph-access.ts';
import { type ErrorCode, failure, type Result } from '../../../errors.ts';
import type { CompletionService } from '../../../services/ldpath/completion.ts';
import type { LdPathService } from '../../../services/ldpath/ldpath.ts';
import { finishedPart } from '../../../services/ldpath/unfinished.ts';
import type { PrefixService } from '../../../services/prefixes/service.ts';
import type { Operation } from '../../description/described-operation.ts';
import { endpoint } from '../../description/endpoint.ts';
import { badIri } from '../../iri-parameter.ts';
import { jsonResponse, rejectUnlessJson } from '../../json-response.ts';
import { isNode, withQuery } from '../../parameters.ts';
import type { Query } from '../../query.ts';
import type { HandlerResult, HttpRequest } from '../../server/message.ts';
import type { Route } from '../../server/router.ts';
import { declaredNamespaces } from './known-prefixes.ts';
import { completeText, continuePath, listNamespaces, readPrefix } from './util-operations.ts';

export interface UtilParts {
  readonly completion: Pick<CompletionService, 'complete'>;
  readonly paths: Pick<LdPathService, 'evaluate'>;
  /** Has the server's prefix table (http-api 4.9). */
  readonly prefixes: Pick<PrefixService, 'table'>;
  /** Maximum start resources of one request. */
  readonly maxStarts: number;
}

/** The namespace by which editors recognise functions (http-api 4.6). */
const FUNCTION_MARKER = { fn: 'function:ldpath#' };

/** Errors that an unfinished path may cause. Such a path has no continuations. */
const unfinished: ReadonlySet<ErrorCode> = new Set([
  'parse-error',
  'unknown-prefix',
  'unknown-function',
  'bad-arguments',
]);

type UtilHandler = (
  request: HttpRequest,
  query: Query,
  namespaces: Record<string, string>,
) => Result<unknown> | Promise<Result<unknown>>;

/** Routes that support editors (http-api 4.6, 4.7). */
export function ldPathUtilRoutes(parts: UtilParts): Route[] {
  const get = (operation: Operation, handler: UtilHandler) => ({
    GET: endpoint(
      withQuery((request, query) => respond(request, query, handler)),
      operation,
    ),
  });
  const all = (declared: Record<string, string>) => ({
    ...parts.prefixes.table,
    ...declared,
    ...FUNCTION_MARKER,
  });
  return [
    {
      path: '/ldpath/util/namespaces',
      methods: get(listNamespaces, (_request, _query, declared) => good(all(declared))),
    },
    {
      path: '/ldpath/util/prefix',
      methods: get(readPrefix, (_request, query, declared) => one(query, all(declared))),
    },
    {
      path: '/ldpath/util/complete',
      methods: get(completeText, (request, query, declared) => complete(parts, request, query, declared)),
    },
    {
      path: '/ldpath/util/path',
      methods: get(continuePath, (request, query, declared) =>
        continuations(parts, request, query, declared),
      ),
    },
  ];
}

async function respond(request: HttpRequest, query: Query, handler: UtilHandler): Promise<HandlerResult> {
  const notJson = rejectUnlessJson(request);
  if (notJson) return notJson;
  const namespaces = declaredNamespaces(query);
  if (!namespaces.ok) return namespaces;
  const result = await handler(request, query, namespaces.value);
  return result.ok ? jsonResponse(JSON.stringify(result.value)) : result;
}

function one(query: Query, namespaces: Readonly<Record<string, string>>): Result<Record<string, string>> {
  const prefix = query.get('prefix');
  if (prefix === undefined || !Object.hasOwn(namespaces, prefix)) return good({});
  return good({ [prefix]: namespaces[prefix]! });
}

async function complete(
  { completion, prefixes }: UtilParts,
  request: HttpRequest,
  query: Query,
  declared: Record<string, string>,
): Promise<Result<string[]>> {
  const mode = query.get('mode') === 'transformer' ? 'transformer' : 'path';
  const namespaces = { ...prefixes.table, ...declared };
  const given = { uri: query.get('uri'), prefix: query.get('prefix')?.trimStart() };
  const visible = visiblePatterns(request);
  return good(await completion.complete({ ...given, mode, namespaces, visible }));
}

/**
 * Returns the predicates of the nodes that an unfinished path has selected so far, from every start
 * resource that exists.
 */
async function continuations(
  { paths, maxStarts }: UtilParts,
  request: HttpRequest,
  query: Query,
  namespaces: Record<string, string>,
): Promise<Result<string[]>> {
  const starts = [...new Set(query.all('ctx', 'ctx[]'))];
  const bad = starts.find((start) => !isNode(start));
  if (bad !== undefined) return badIri('ctx', bad);
  if (starts.length > maxStarts) {
    return failure('too-large', `There must not be more than ${maxStarts} start resources.`);
  }
  const selection = { mode: 'path', source: finishedPart(query.get('path') ?? ''), namespaces } as const;
  const found = await Promise.all(
    starts.map((start) => paths.evaluate(selection, start, 'predicates', request)),
  );
  const predicates = new Set<string>();
  for (const result of found) {
    if (result.ok) {
      for (const iri of JSON.parse(Buffer.from(result.value).toString()) as string[]) predicates.add(iri);
    } else if (unfinished.has(result.error.code)) return good([]);
    else if (result.error.code !== 'resource-not-found') return result;
  }
  return good([...predicates].sort());
}

function good<T>(value: T): { ok: true; value: T } {
  return { ok: true, value };
}
