import { failure, type Result } from '../errors.ts';
import { isIri } from '../rdf/model/iri.ts';
import { badIri } from './iri-parameter.ts';
import { parseQuery, type Query } from './query.ts';
import type { Handler, HttpRequest, PendingResult } from './server/message.ts';

type QueryHandler = (request: HttpRequest, query: Query, rest: string) => PendingResult;

/** Returns a handler that receives the decoded query string. */
export function withQuery(handler: QueryHandler): Handler {
  return (request, rest) => {
    const query = parseQuery(request.query);
    return query.ok ? handler(request, query.value, rest) : query;
  };
}

/** Returns a parameter that is required; error `missing-parameter`. */
export function required(query: Query, name: string): Result<string> {
  const value = query.get(name);
  if (value !== undefined) return { ok: true, value };
  return failure('missing-parameter', `The parameter '${name}' is missing.`);
}

/**
 * Returns a required parameter that must be an absolute IRI, or a blank node as `_:label`.
 */
export function requiredNode(query: Query, name: string): Result<string> {
  const given = required(query, name);
  if (!given.ok || isNode(given.value)) return given;
  return badIri(name, given.value);
}

/** Whether a text is an absolute IRI, or a blank node as `_:label`. */
export function isNode(text: string): boolean {
  return text.startsWith('_:') ? /^_:[^\s<>"{}|\\^`]+$/.test(text) : isIri(text);
}

/**
 * Returns a count such as `offset`, or undefined if it is missing; error `bad-query` if it is
 * malformed.
 */
export function count(query: Query, name: string): Result<number | undefined> {
  const text = query.get(name);
  if (text === undefined) return { ok: true, value: undefined };
  if (/^\d{1,15}$/.test(text)) return { ok: true, value: Number(text) };
  return failure('bad-query', `The parameter '${name}' must be a whole number, 0 or more.`);
}

/** Returns the name in a path segment; one with a malformed escape is no name. */
export function nameIn(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
