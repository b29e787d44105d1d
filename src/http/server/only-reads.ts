import { parseContentType } from '../../rdf/media-types/media-types.ts';
import type { HttpRequest } from './message.ts';

/**
 * Whether a request changes nothing, as far as its head shows: GET, HEAD, OPTIONS, POST below
 * `/ldpath`, and POST of SPARQL queries. A form at `/sparql` may contain an update instead. Its
 * handler finds out when it has read the body, and must then call `checkWrite`.
 */
export function onlyReads(request: Pick<HttpRequest, 'method' | 'path' | 'header'>): boolean {
  const { method, path } = request;
  if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return true;
  if (method !== 'POST') return false;
  return path.startsWith('/ldpath/') || mayPostQuery(path, request.header('content-type'));
}

const queryEndpoints: ReadonlySet<string> = new Set(['/query', '/sparql/select']);
const queryTypes: ReadonlySet<string> = new Set([
  'application/sparql-query',
  'application/x-www-form-urlencoded',
]);

function mayPostQuery(path: string, contentType: string | undefined): boolean {
  const endpoint = path.endsWith('/') ? path.slice(0, -1) : path;
  if (queryEndpoints.has(endpoint)) return true;
  return endpoint === '/sparql' && queryTypes.has(parseContentType(contentType)?.mediaType ?? '');
}
