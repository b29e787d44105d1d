import { failure, type Result } from '../../../errors.ts';
import type { LdPathService } from '../../../services/ldpath/ldpath.ts';
import { endpoint } from '../../description/endpoint.ts';
import { badIri } from '../../iri-parameter.ts';
import { jsonResponse, rejectUnlessJson } from '../../json-response.ts';
import { isNode, withQuery } from '../../parameters.ts';
import type { Query } from '../../query.ts';
import type { HandlerResult, HttpRequest } from '../../server/message.ts';
import type { Route } from '../../server/router.ts';
import { readText } from './body-text.ts';
import { declaredNamespaces } from './known-prefixes.ts';
import { debugProgram } from './operations.ts';
import { type NamedPrograms, programOf } from './selection.ts';
import { targetFirst } from './target.ts';

type LdPath = Pick<LdPathService, 'check' | 'evaluateAll' | 'traceAll' | 'missing'>;

export interface DebugLimits {
  /** Maximum bytes of a decoded program. */
  readonly maxBytes: number;
  readonly maxStarts: number;
}

/** Start resources of one request for traces, which share the size of one trace. */
const MAX_TRACED = 20;

/**
 * Routes for the evaluation of a program for several start resources, all or nothing (http-api
 * 4.4). With the flag `details` the result is `{ "warnings": [...], "results": { start: { "result",
 * "skipped", "filter"?, "boost"? } } }` instead of only the results by start, and with `trace` each
 * of these has a `trace` too.
 */
export function ldPathDebugRoutes(service: LdPath, programs: NamedPrograms, limits: DebugLimits): Route[] {
  const handlers = new DebugHandlers(service, programs, limits);
  const post = withQuery((request, query) => handlers.ofPost(request, query));
  return [{ path: '/ldpath/debug', methods: { POST: endpoint(post, debugProgram) } }];
}

class DebugHandlers {
  readonly #service: LdPath;
  readonly #programs: NamedPrograms;
  readonly #limits: DebugLimits;

  constructor(service: LdPath, programs: NamedPrograms, limits: DebugLimits) {
    this.#service = service;
    this.#programs = programs;
    this.#limits = limits;
  }

  async ofPost(request: HttpRequest, query: Query): Promise<HandlerResult> {
    const { maxStarts } = this.#limits;
    const starts = startsOf(query, query.has('trace') ? Math.min(MAX_TRACED, maxStarts) : maxStarts);
    if (!starts.ok) return starts;
    const namespaces = declaredNamespaces(query);
    if (!namespaces.ok) return namespaces;
    const result = rejectUnlessJson(request) ?? (await this.#evaluateBody(starts.value, request, query));
    return targetFirst(this.#service, starts.value, request, result);
  }

  async #evaluateBody(starts: readonly string[], request: HttpRequest, query: Query): Promise<HandlerResult> {
    const body = await readText(request, this.#limits.maxBytes);
    if (!body.ok) return body;
    const selection = programOf(body.value, query, this.#programs);
    if (!selection.ok) return selection;
    const warnings = await this.#service.check(selection.value, request);
    if (!warnings.ok) return warnings;
    const trace = query.has('trace');
    const details = trace || query.has('details');
    const results = await (trace
      ? this.#service.traceAll(selection.value, starts, request)
      : this.#service.evaluateAll(selection.value, starts, details ? 'details' : 'result', request));
    if (!results.ok) return results;
    const byStart = objectOf(starts, details ? results.value.map(inBraces) : results.value);
    return jsonResponse(details ? detailed(warnings.value, byStart) : byStart);
  }
}

/** Returns each start resource once, in the order of its first occurrence. */
function startsOf(query: Query, most: number): Result<string[]> {
  const starts = [...new Set(query.all('context', 'context[]'))];
  if (starts.length === 0) {
    return failure('missing-parameter', "The parameter 'context' is missing.");
  }
  if (starts.length > most) {
    return failure('too-large', `There must not be more than ${most} start resources.`);
  }
  const bad = starts.find((start) => !isNode(start));
  return bad === undefined ? { ok: true, value: starts } : badIri('context', bad);
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
