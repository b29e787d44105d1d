import { failure } from '../../../errors.ts';
import type { LanguageService } from '../../../services/ldpath/language.ts';
import { endpoint } from '../../description/endpoint.ts';
import { jsonResponse, rejectUnlessJson } from '../../json-response.ts';
import { withQuery } from '../../parameters.ts';
import type { HandlerResult, HttpRequest } from '../../server/message.ts';
import type { Route } from '../../server/router.ts';
import { listFunctions, readFunction } from './operations.ts';

type Language = Pick<LanguageService, 'functions' | 'function'>;

/** Routes that list the functions (http-api 4.5). */
export function ldPathFunctionRoutes(language: Language): Route[] {
  const functions = new FunctionReads(language);
  const path = '/ldpath/functions';
  const list = withQuery((request) => functions.list(request));
  const read = withQuery((request, _query, rest) => functions.read(request, rest));
  return [
    { path, methods: { GET: endpoint(list, listFunctions) } },
    { path, tail: 1, methods: { GET: endpoint(read, readFunction) } },
  ];
}

/** Handles GET and HEAD of functions and of their list. */
class FunctionReads {
  readonly #language: Language;

  constructor(language: Language) {
    this.#language = language;
  }

  async list(request: HttpRequest): Promise<HandlerResult> {
    return rejectUnlessJson(request) ?? jsonResponse(JSON.stringify(await this.#language.functions()));
  }

  /** `segment`: the name as sent. */
  async read(request: HttpRequest, segment: string): Promise<HandlerResult> {
    const name = decoded(segment);
    const description = name === undefined ? undefined : await this.#language.function(name);
    if (description) return rejectUnlessJson(request) ?? jsonResponse(JSON.stringify(description));
    return failure('function-not-found', `There is no function '${name ?? segment}'.`);
  }
}

function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
