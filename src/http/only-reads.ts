import type { HttpRequest } from './message.ts';

/** Whether a request changes nothing: GET, HEAD, OPTIONS, and POST below `/ldpath`. */
export function onlyReads({ method, path }: Pick<HttpRequest, 'method' | 'path'>): boolean {
  if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return true;
  return method === 'POST' && path.startsWith('/ldpath/');
}
