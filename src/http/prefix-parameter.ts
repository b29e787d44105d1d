import { writesEverything } from '../base/graph-access.ts';
import { failure, type Result } from '../errors.ts';
import { inQuery } from './description/shared-parameters.ts';
import { parseQuery } from './query.ts';
import type { HttpRequest } from './server/message.ts';

/** The parameter by which an upload stores the prefixes that its document declares (P-94). */
export const prefixesParameter = inQuery(
  'prefixes',
  '`store`: the prefixes that the document declares are stored, except those that the server knows (http-api 4.15).',
  { enum: ['store'] },
);

/** Whether the prefixes of an upload are to be stored. Errors `bad-query`, `forbidden`. */
export function storesPrefixes(request: Pick<HttpRequest, 'query' | 'access'>): Result<boolean> {
  const { query } = request;
  if (!query.includes('prefixes')) return { ok: true, value: false };
  const parameters = parseQuery(query);
  if (!parameters.ok) return parameters;
  const value = parameters.value.get('prefixes');
  if (value === undefined) return { ok: true, value: false };
  if (value === 'store') return writesEverything(request) ? { ok: true, value: true } : notForSome;
  return failure('bad-query', "The parameter 'prefixes' can only be 'store'.");
}

/** Prefixes belong to no graph (G-164). */
const notForSome = failure('forbidden', 'Prefixes are stored only for clients that may write all graphs.');
