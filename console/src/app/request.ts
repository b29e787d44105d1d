import { PathpoolError, type Problem } from '../../../src/library/client/entry.ts';
import { serverUrl } from './location.ts';
import { sessionFetch } from './session.ts';

/**
 * Sends a request for which the client has no call. `path`: relative to the URL of the server,
 * such as `meta/text/turtle?uri=…`.
 * @throws PathpoolError for a response that is an error
 */
export async function requestServer(path: string, init: RequestInit = {}): Promise<Response> {
  const response = await sessionFetch(new URL(path, serverUrl), init);
  if (response.ok) return response;
  throw errorFrom(response.status, await response.text());
}

/** Reads the text of a response that is an error, which a proxy may have sent. */
export function errorFrom(status: number, text: string): PathpoolError {
  try {
    return new PathpoolError(status, JSON.parse(text) as Problem);
  } catch {
    const detail = text.slice(0, 500).trim();
    return new PathpoolError(status, detail === '' ? {} : { detail });
  }
}
