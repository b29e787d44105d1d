import { type ErrorData, errorData, type Result } from '../../../errors.ts';
import type { LdPathService } from '../../../services/ldpath/ldpath.ts';
import { badIri } from '../../iri-parameter.ts';
import { jsonReply, refuseUnlessJson } from '../../json-reply.ts';
import { isNode, withQuery } from '../../parameters.ts';
import { refusal } from '../../problem.ts';
import type { Query } from '../../query.ts';
import type { HttpReply, HttpRequest } from '../../server/message.ts';
import type { Route } from '../../server/router.ts';
import { readText } from './body-text.ts';
import { declaredNamespaces } from './known-prefixes.ts';
import { selectionOf } from './routes.ts';
import { targetFirst } from './target.ts';

type LdPath = Pick<LdPathService, 'check' | 'evaluateAll' | 'missing'>;

export interface DebugLimits {
  /** Maximum bytes of a decoded program. */
  readonly maxBytes: number;
  readonly maxStarts: number;
}

/**
 * Routes for the evaluation of a program for several start resources, all or nothing (http-api
 * 4.4). With the flag `details` the result is `{ "warnings": [...], "results": { start: { "result",
 * "skipped", "filter"?, "boost"? } } }` instead of only the results by start.
 */
export function ldPathDebugRoutes(service: LdPath, limits: DebugLimits): Route[] {
  const post = withQuery((request, query) => debug(service, limits, request, query));
  return [{ path: '/ldpath/debug', methods: { POST: post } }];
}

async function debug(
  service: LdPath,
  limits: DebugLimits,
  request: HttpRequest,
  query: Query,
): Promise<HttpReply> {
  const starts = startsOf(query, limits.maxStarts);
  if (!starts.ok) return refusal(starts.error, request);
  const namespaces = declaredNamespaces(query);
  if (!namespaces.ok) return refusal(namespaces.error, request);
  const reply =
    refuseUnlessJson(request) ?? (await evaluateAll(service, limits.maxBytes, starts.value, request, query));
  return targetFirst(service, starts.value, request, reply);
}

async function evaluateAll(
  service: LdPath,
  maxBytes: number,
  starts: readonly string[],
  request: HttpRequest,
  query: Query,
): Promise<HttpReply> {
  const body = await readText(request, maxBytes);
  if (!body.ok) return refusal(body.error, request);
  const selection = selectionOf('program', body.value, query);
  if (!selection.ok) return refusal(selection.error, request);
  const warnings = await service.check(selection.value, request);
  if (!warnings.ok) return refusal(warnings.error, request);
  const details = query.has('details');
  const answer = details ? 'details' : 'result';
  const answers = await service.evaluateAll(selection.value, starts, answer, request);
  if (!answers.ok) return refusal(answers.error, request);
  const results = details ? answers.value.map(inBraces) : answers.value;
  const byStart = objectOf(starts, results);
  return jsonReply(details ? detailed(warnings.value, byStart) : byStart);
}

/** Returns each start resource once, in the order of its first occurrence. */
function startsOf(query: Query, most: number): Result<string[]> {
  const starts = [...new Set(query.all('context', 'context[]'))];
  if (starts.length === 0) {
    return { ok: false, error: failure('missing-parameter', "The parameter 'context' is missing.") };
  }
  if (starts.length > most) {
    return { ok: false, error: failure('too-large', `There must not be more than ${most} start resources.`) };
  }
  const bad = starts.find((start) => !isNode(start));
  return bad === undefined ? { ok: true, value: starts } : { ok: false, error: badIri('context', bad) };
}

function objectOf(names: readonly string[], values: readonly Uint8Array[]): Uint8Array {
  const members = names.flatMap((name, i) => {
    return [Buffer.from(`${i === 0 ? '{' : ','}${JSON.stringify(name)}:`), values[i]!];
  });
  return Buffer.concat([...members, Buffer.from('}')]);
}

function inBraces(members: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from('{'), members, Buffer.from('}')]);
}

function detailed(warnings: Uint8Array, results: Uint8Array): Uint8Array {
  return Buffer.concat([
    Buffer.from('{"warnings":'),
    warnings,
    Buffer.from(',"results":'),
    results,
    Buffer.from('}'),
  ]);
}

function failure(code: 'missing-parameter' | 'too-large', message: string): ErrorData {
  return errorData(code, message);
}
