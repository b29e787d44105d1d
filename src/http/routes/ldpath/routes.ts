import { type Failure, failure, type Result } from '../../../errors.ts';
import type { Selection } from '../../../pool/evaluation-request.ts';
import type { LdPathService } from '../../../services/ldpath/ldpath.ts';
import { endpoint } from '../../description/endpoint.ts';
import { failedMatch } from '../../headers/conditional.ts';
import { required, requiredNode, withQuery } from '../../parameters.ts';
import type { Query } from '../../query.ts';
import type { HandlerResult, HttpRequest, PendingResult } from '../../server/message.ts';
import type { Route } from '../../server/router.ts';
import { readText } from './body-text.ts';
import { declaredNamespaces } from './known-prefixes.ts';
import { evaluatePath, evaluatePostedProgram, evaluateProgram } from './operations.ts';
import { formatOfOne, inFormat, type ResultFormat, separatorOf } from './result-format.ts';
import { ResultTags } from './result-tags.ts';
import { type NamedPrograms, programOf, selectionOf, storedProgram } from './selection.ts';
import { targetFirst } from './target.ts';

type LdPath = Pick<LdPathService, 'evaluate' | 'check' | 'missing' | 'sequence' | 'state'>;

export interface EvaluationOptions {
  /** Maximum bytes of a decoded program. */
  readonly maxBytes: number;
  /** See `ResultTags`. */
  readonly run: string;
}

/** Routes for the evaluation of one path or program (http-api 4.1 to 4.3). */
export function ldPathRoutes(handlers: EvaluationHandlers): Route[] {
  const get = (mode: 'path' | 'program') =>
    withQuery((request, query) => handlers.ofQuery(mode, request, query));
  const post = withQuery((request, query) => handlers.ofPost(request, query));
  return [
    { path: '/ldpath/path', methods: { GET: endpoint(get('path'), evaluatePath) } },
    {
      path: '/ldpath/program',
      methods: {
        GET: endpoint(get('program'), evaluateProgram),
        POST: endpoint(post, evaluatePostedProgram),
      },
    },
  ];
}

/** Handles requests for the evaluation of one path or program. */
export class EvaluationHandlers {
  readonly #service: LdPath;
  readonly #programs: NamedPrograms;
  readonly #maxBytes: number;
  readonly #tags: ResultTags;

  constructor(service: LdPath, programs: NamedPrograms, { maxBytes, run }: EvaluationOptions) {
    this.#service = service;
    this.#programs = programs;
    this.#maxBytes = maxBytes;
    this.#tags = new ResultTags(service, run);
  }

  /** Handles GET: the path or program, or the name of a stored program, is a parameter. */
  ofQuery(mode: 'path' | 'program', request: HttpRequest, query: Query): PendingResult {
    if (mode === 'program' && query.get('name') !== undefined) return this.#ofName(request, query);
    const source = required(query, mode);
    if (!source.ok) return source;
    const start = requiredNode(query, 'uri');
    if (!start.ok) return start;
    const selection = selectionOf(mode, source.value, query);
    if (!selection.ok) return selection;
    return this.#read(selection.value, start.value, request, query);
  }

  /** Handles GET of the result of a stored program (P-44). */
  ofStored(name: string, request: HttpRequest, query: Query): PendingResult {
    const start = requiredNode(query, 'uri');
    if (!start.ok) return start;
    const program = storedProgram(this.#programs, name);
    return program.ok ? this.#read(program.value, start.value, request, query) : program;
  }

  /** Handles POST: the program is the body or a parameter. */
  async ofPost(request: HttpRequest, query: Query): Promise<HandlerResult> {
    const start = requiredNode(query, 'uri');
    if (!start.ok) return start;
    const namespaces = declaredNamespaces(query);
    if (!namespaces.ok) return namespaces;
    const separator = separatorOf(query);
    if (!separator.ok) return separator;
    const format = formatOfOne(request, query);
    if (!format.ok) return targetFirst(this.#service, [start.value], request, format);
    const ask = (selection: Selection) =>
      this.#evaluate(inFormat(selection, format.value, separator.value), format.value, start.value, request);
    const result = await this.#evaluateBody(request, query, ask);
    return targetFirst(this.#service, [start.value], request, result);
  }

  #ofName(request: HttpRequest, query: Query): PendingResult {
    const start = requiredNode(query, 'uri');
    if (!start.ok) return start;
    const program = programOf(query.get('program') ?? '', query, this.#programs);
    return program.ok ? this.#read(program.value, start.value, request, query) : program;
  }

  #read(selection: Selection, start: string, request: HttpRequest, query: Query): PendingResult {
    const separator = separatorOf(query);
    if (!separator.ok) return separator;
    const format = formatOfOne(request, query);
    if (!format.ok) return this.#rejectChecked(format, selection, start, request);
    const unmet = failedMatch(request);
    if (unmet) return this.#rejectChecked(unmet, selection, start, request);
    const { value } = format;
    const shaped = inFormat(selection, value, separator.value);
    return this.#tags.notModified(request, value) ?? this.#evaluate(shaped, value, start, request);
  }

  /**
   * Reports errors in the parameters, and then in the target, before a 406 or 412 (http-api 1.10).
   */
  async #rejectChecked(
    unmet: Failure,
    selection: Selection,
    start: string,
    request: HttpRequest,
  ): Promise<HandlerResult> {
    const checked = await this.#service.check(selection, request);
    return checked.ok ? targetFirst(this.#service, [start], request, unmet) : checked;
  }

  /** Only GET returns an entity tag, because a client can't ask again with the body of a POST. */
  #evaluate(
    selection: Selection,
    format: ResultFormat,
    start: string,
    request: HttpRequest,
  ): Promise<HandlerResult> {
    // A commit after this one may store another program under the name.
    const newest = 'name' in selection ? this.#service.sequence : Number.POSITIVE_INFINITY;
    return this.#service.evaluate(selection, start, 'result', request).then((result) => {
      if (!result.ok) return result;
      const { value } = result;
      if (request.method === 'POST') return { status: 200, headers: format.untagged, body: value };
      return this.#tags.respond(request, format, { value, sequence: Math.min(result.sequence, newest) });
    });
  }

  async #evaluateBody(
    request: HttpRequest,
    query: Query,
    evaluate: (selection: Selection) => Promise<HandlerResult>,
  ): Promise<HandlerResult> {
    const body = await readText(request, this.#maxBytes);
    if (!body.ok) return body;
    const selection = this.#postedProgram(body.value, query);
    if (!selection.ok) return selection;
    // Returning the promise without `await` would need two more turns of the microtask queue.
    return await evaluate(selection.value);
  }

  #postedProgram(body: string, query: Query): Result<Selection> {
    const source = body === '' ? (query.get('program') ?? '') : body;
    if (source !== '' || query.get('name') !== undefined) return programOf(source, query, this.#programs);
    const missing = "The program is missing: the body, or else the parameter 'program' or 'name'.";
    return failure('missing-parameter', missing);
  }
}
