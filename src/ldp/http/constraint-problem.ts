import { AppError, type ErrorCode, type ErrorData, toErrorData } from '../../errors.ts';
import { refusal } from '../../http/problem.ts';
import type { Header } from '../../http/server/header.ts';
import type { HttpReply, HttpRequest } from '../../http/server/message.ts';
import type { LdpKind } from '../model/kinds.ts';
import type { LdpHeaders } from './headers.ts';
import type { Ldp } from './service.ts';

/** Error responses with the links that every response below `/ldp` has (http-api 5.2). */
export class LdpProblems {
  readonly #space: Ldp['space'];
  readonly #headers: LdpHeaders;

  constructor(space: Ldp['space'], headers: LdpHeaders) {
    this.#space = space;
    this.#headers = headers;
  }

  /** `uri`: the target of the request, whether it exists or not. */
  reply(error: ErrorData, request: HttpRequest, uri: string, extra: readonly Header[] = []): HttpReply {
    return refusal(error, request, [this.#headers.link(uri, this.#kind(uri)), ...extra]);
  }

  /** Returns a 404 or 410. */
  missing(request: HttpRequest, uri: string): HttpReply {
    return this.reply(
      this.#space.entry(uri) === 'gone'
        ? problem('gone', `<${uri}> was deleted, and its URI is never used again.`, uri)
        : problem('resource-not-found', `There is no resource <${uri}>.`, uri),
      request,
      uri,
    );
  }

  method(request: HttpRequest, uri: string, kind: LdpKind): HttpReply {
    const error = problem('method-not-allowed', `${request.method} is not supported by this resource.`, uri);
    return this.reply(error, request, uri, [this.#headers.allow(uri, kind)]);
  }

  /**
   * Returns the response for a method that LDP resources do not support. `uri`: undefined if the
   * path cannot belong to a resource. `methods`: those that some resource supports, for a path
   * without a resource.
   */
  unsupported(error: ErrorData, request: HttpRequest, uri: string | undefined, methods: string): HttpReply {
    const kind = uri === undefined ? undefined : this.#kind(uri);
    const isKnown = uri !== undefined && kind !== undefined;
    const link = isKnown ? this.#headers.link(uri, kind) : this.#headers.link('', undefined);
    if (error.code !== 'method-not-allowed') return refusal(error, request, [link]);
    const allow: Header = isKnown ? this.#headers.allow(uri, kind) : ['Allow', methods];
    return refusal(error, request, [link, allow]);
  }

  notAcceptable(request: HttpRequest, uri: string, available: readonly string[]): HttpReply {
    const message = 'The resource is not available in an acceptable type.';
    return this.reply(toErrorData(new AppError('not-acceptable', message, { uri, available })), request, uri);
  }

  preconditionFailed(request: HttpRequest, uri: string): HttpReply {
    const message = 'The resource is not in the state that the request asks for.';
    return this.reply(problem('precondition-failed', message, uri), request, uri);
  }

  #kind(uri: string): LdpKind | undefined {
    const entry = this.#space.entry(uri);
    return entry === undefined || entry === 'gone' ? undefined : entry.kind;
  }
}

function problem(code: ErrorCode, message: string, uri: string): ErrorData {
  return toErrorData(new AppError(code, message, { uri }));
}
