import { failure } from '../../../errors.ts';
import type { LanguageService } from '../../../services/ldpath/language.ts';
import { jsonResponse, rejectUnlessJson } from '../../json-response.ts';
import { withQuery } from '../../parameters.ts';
import type { HandlerResult, HttpRequest } from '../../server/message.ts';
import type { Route } from '../../server/router.ts';

type Language = Pick<LanguageService, 'functions' | 'function'>;

/** Routes that list the functions (http-api 4.5). */
export function ldPathFunctionRoutes(language: Language): Route[] {
  return [
    { path: '/ldpath/functions', methods: { GET: withQuery((request) => list(language, request)) } },
    {
      path: '/ldpath/functions',
      tail: 1,
      methods: { GET: withQuery((request, _query, rest) => show(language, request, rest)) },
    },
  ];
}

async function list(language: Language, request: HttpRequest): Promise<HandlerResult> {
  return rejectUnlessJson(request) ?? jsonResponse(JSON.stringify(await language.functions()));
}

async function show(language: Language, request: HttpRequest, rest: string): Promise<HandlerResult> {
  const name = decoded(rest);
  const description = name === undefined ? undefined : await language.function(name);
  if (description) return rejectUnlessJson(request) ?? jsonResponse(JSON.stringify(description));
  return failure('function-not-found', `There is no function '${name ?? rest}'.`);
}

function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
