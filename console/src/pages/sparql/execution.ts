import { requestServer } from '../../app/request.ts';
import { isUpdate } from './prologue.ts';
import { Solutions } from './solutions.ts';

/** What a query or update has brought. */
export type Result =
  | { readonly kind: 'solutions'; readonly solutions: Solutions }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'graph'; readonly turtle: string }
  | { readonly kind: 'update'; readonly commit: string | undefined };

export const TSV = 'text/tab-separated-values';
const ANY_RESULT = `${TSV}, text/turtle;q=0.9`;
/** Otherwise errors would be plain text, without their place. */
const PROBLEM = 'application/problem+json;q=0.1';

/** @throws PathpoolError for a response that is an error */
export async function execute(text: string, signal: AbortSignal): Promise<Result> {
  if (isUpdate(text)) return update(text, signal);
  const response = await evaluate(text, ANY_RESULT, signal);
  const body = await response.text();
  if (!response.headers.get('Content-Type')?.startsWith(TSV)) return { kind: 'graph', turtle: body };
  const value = body.trim();
  if (value === 'true' || value === 'false') return { kind: 'boolean', value: value === 'true' };
  return { kind: 'solutions', solutions: new Solutions(body) };
}

/** Evaluates a query. `type`: the media type of the result, or several as in `Accept`. */
export function evaluate(query: string, type: string, signal?: AbortSignal): Promise<Response> {
  return requestServer('query', {
    method: 'POST',
    headers: { Accept: `${type}, ${PROBLEM}`, 'Content-Type': 'application/sparql-query' },
    body: query,
    ...(signal && { signal }),
  });
}

async function update(text: string, signal: AbortSignal): Promise<Result> {
  const response = await requestServer('update', {
    method: 'POST',
    headers: { Accept: PROBLEM, 'Content-Type': 'application/sparql-update' },
    body: text,
    signal,
  });
  return { kind: 'update', commit: response.headers.get('Pathpool-Commit') ?? undefined };
}
