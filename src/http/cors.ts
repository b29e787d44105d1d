import type { Header, HttpReply, HttpRequest } from './message.ts';

const EXPOSED =
  'Accept-Patch, Accept-Post, Accept-Ranges, Allow, Content-Disposition, Content-Location, Content-Range, ' +
  'ETag, Last-Modified, Link, Location, Preference-Applied, Retry-After, Vary';
const DEFAULT_REQUEST_HEADERS = 'Accept, Content-Type, If-Match, If-None-Match, Link, Prefer, Slug';
const MAX_AGE_SECONDS = '86400';

type RequestHead = Pick<HttpRequest, 'method' | 'header'>;

export function isPreflight(request: RequestHead): boolean {
  return request.method === 'OPTIONS' && request.header('access-control-request-method') !== undefined;
}

/** Headers for every response (G-30, G-31), worked out once for each origin of the setting. */
export class CorsPolicy {
  readonly #byOrigin = new Map<string, readonly Header[]>();
  /** For the wildcard, and for origins that are not in the list: those get the first of it, so are refused. */
  readonly #fallback: readonly Header[];

  /** `origins`: those that may read responses; empty, or `*` among them, for all (setting `http.allowOrigin`). */
  constructor(origins: readonly string[]) {
    const expose: Header = ['Access-Control-Expose-Headers', EXPOSED];
    if (origins.length === 0 || origins.includes('*')) {
      this.#fallback = [['Access-Control-Allow-Origin', '*'], expose];
      return;
    }
    for (const origin of origins) {
      this.#byOrigin.set(origin, [['Access-Control-Allow-Origin', origin], ['Vary', 'Origin'], expose]);
    }
    this.#fallback = this.#byOrigin.get(origins[0]!)!;
  }

  /** The same array for the same origin, always. */
  headersFor(request: RequestHead): readonly Header[] {
    if (this.#byOrigin.size === 0) return this.#fallback;
    return this.#byOrigin.get(request.header('origin') ?? '') ?? this.#fallback;
  }
}

/** The answer to a preflight on any routed path (G-32). */
export function preflightReply(request: RequestHead, allow: string): HttpReply {
  return {
    status: 204,
    headers: [
      ['Allow', allow],
      ['Access-Control-Allow-Methods', allow],
      [
        'Access-Control-Allow-Headers',
        request.header('access-control-request-headers') ?? DEFAULT_REQUEST_HEADERS,
      ],
      ['Access-Control-Max-Age', MAX_AGE_SECONDS],
    ],
  };
}
