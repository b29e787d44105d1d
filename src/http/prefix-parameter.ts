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

/** Whether the prefixes of an upload are to be stored. Error `bad-query`. */
export function storesPrefixes({ query }: Pick<HttpRequest, 'query'>): Result<boolean> {
  if (!query.includes('prefixes')) return { ok: true, value: false };
  const parameters = parseQuery(query);
  if (!parameters.ok) return parameters;
  const value = parameters.value.get('prefixes');
  if (value === undefined || value === 'store') return { ok: true, value: value !== undefined };
  return failure('bad-query', "The parameter 'prefixes' can only be 'store'.");
}
