import { failure, type Result } from '../../../../errors.ts';
import type { LdPathService } from '../../../../services/ldpath/ldpath.ts';
import { endpoint } from '../../../description/endpoint.ts';
import { jsonResponse, rejectUnlessJson } from '../../../json-response.ts';
import { withQuery } from '../../../parameters.ts';
import type { Query } from '../../../query.ts';
import type { HandlerResult, HttpRequest } from '../../../server/message.ts';
import type { Route } from '../../../server/router.ts';
import { readText } from '../body-text.ts';
import { declaredNamespaces } from '../known-prefixes.ts';
import { checkText } from './operations.ts';

type Service = Pick<LdPathService, 'checkReport'>;

/**
 * Routes for checking a text while it is written (http-api 4.14). `maxBytes`: of the decoded text.
 */
export function ldPathCheckRoutes(service: Service, maxBytes: number): Route[] {
  const post = withQuery((request, query) => checkBody(service, maxBytes, request, query));
  return [{ path: '/ldpath/check', methods: { POST: endpoint(post, checkText) } }];
}

async function checkBody(
  service: Service,
  maxBytes: number,
  request: HttpRequest,
  query: Query,
): Promise<HandlerResult> {
  const mode = kindOf(query);
  if (!mode.ok) return mode;
  const namespaces = declaredNamespaces(query);
  if (!namespaces.ok) return namespaces;
  const notJson = rejectUnlessJson(request);
  if (notJson) return notJson;
  const source = await readText(request, maxBytes);
  if (!source.ok) return source;
  const selection = { mode: mode.value, source: source.value, namespaces: namespaces.value };
  const checked = await service.checkReport(selection, request);
  return checked.ok ? jsonResponse(checked.value) : checked;
}

function kindOf(query: Query): Result<'path' | 'program'> {
  const kind = query.get('kind') ?? 'program';
  if (kind === 'path' || kind === 'program') return { ok: true, value: kind };
  return failure('bad-query', "The parameter 'kind' must be 'path' or 'program'.");
}
