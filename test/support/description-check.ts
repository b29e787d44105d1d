/**
 * Holds the responses of servers under test against the description of the interface: a response
 * whose status, error code or media type `/openapi.json` lacks fails the test that received it.
 */
import type { ObservedResponse } from './description.ts';

/** The path of the base of each server, by its origin. */
const basePaths = new Map<string, string>();
const plainFetch = globalThis.fetch;

/** From now on the responses of this server are checked. */
export function checkResponsesOf(url: string, base: string): void {
  basePaths.set(new URL(url).origin, new URL(base).pathname.replace(/\/$/, ''));
  globalThis.fetch = checkedFetch;
}

const checkedFetch: typeof fetch = async (input, init) => {
  const response = await plainFetch(input, init);
  const url = input instanceof Request ? input.url : String(input);
  const method = init?.method ?? (input instanceof Request ? input.method : 'GET');
  // Of a redirection only the last response is visible. Other servers may send what they like.
  if (!response.redirected && basePaths.has(new URL(url).origin)) {
    const contentType = response.headers.get('content-type');
    const code = await codeOf(contentType, () => response.clone().text());
    await checkResponse({ method, url, status: response.status, contentType, code });
  }
  return response;
};

/** Throws if the description lacks the response, unless another server sent it. */
export async function checkResponse(response: ObservedResponse): Promise<void> {
  const { origin, pathname } = new URL(response.url);
  const basePath = basePaths.get(origin);
  if (basePath === undefined) return;
  const { lackOf } = await import('./description.ts');
  const path = pathname.startsWith(`${basePath}/`) ? pathname.slice(basePath.length) : undefined;
  const lack = lackOf(path, response);
  if (lack === undefined) return;
  const { method, status, contentType, code } = response;
  throw new Error(
    `/openapi.json lacks ${lack}: ${method} ${pathname}, ${[status, code, contentType].join(' ')}`,
  );
}

export async function codeOf(
  contentType: string | null,
  read: () => string | Promise<string>,
): Promise<string | undefined> {
  if (contentType !== 'application/problem+json') return undefined;
  const text = await read();
  return text === '' ? undefined : (JSON.parse(text) as { code: string }).code;
}
