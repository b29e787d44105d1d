import type { Header } from '../server/header.ts';
import type { HttpRequest, HttpResponse } from '../server/message.ts';
import { onlyReads } from '../server/only-reads.ts';

const EXPOSED =
  'Accept-Patch, Accept-Post, Accept-Ranges, Allow, Content-Disposition, Content-Location, Content-Range, ' +
  'ETag, Last-Modified, Link, Location, Pathpool-Commit, Pathpool-Unreachable, Preference-Applied, ' +
  'Retry-After, Vary, X-Request-Id';
const DEFAULT_REQUEST_HEADERS =
  'Accept, Content-Type, If-Match, If-None-Match, Link, Pathpool-Commit, Prefer, Slug';
const MAX_AGE_SECONDS = '86400';

type RequestHead = Pick<HttpRequest, 'method' | 'path' | 'header'>;

export function isPreflight(request: Pick<HttpRequest, 'method' | 'header'>): boolean {
  return request.method === 'OPTIONS' && request.header('access-control-request-method') !== undefined;
}

const expose: Header = ['Access-Control-Expose-Headers', EXPOSED];
const varies: Header = ['Vary', 'Origin'];
/**
 * Pages that are not allowed to read responses are not allowed to embed them either, for example as
 * images.
 */
const noOrigin: readonly Header[] = [['Cross-Origin-Resource-Policy', 'same-site']];
const anyOrigin: readonly Header[] = [['Access-Control-Allow-Origin', '*'], expose];

/**
 * The response headers that tell browsers which pages may read a response (G-30, G-31). They are
 * built once for each origin. `OriginPolicy` decides which pages may write; for `CorsPolicy` that
 * matters only in preflights.
 */
export class CorsPolicy {
  /** Whether the headers of each response have `Vary`, because they depend on the origin. */
  readonly varies: boolean;
  readonly #byOrigin = new Map<string, readonly Header[]>();
  /** For origins that are not listed: headers for reads, and for preflights of writes. */
  readonly #otherReads: readonly Header[];
  readonly #otherWrites: readonly Header[];

  /** `origins`: those whose pages may read and write. `*` lets the pages of all origins read. */
  constructor(origins: readonly string[]) {
    const named = origins.filter((origin) => origin !== '*');
    for (const origin of named) {
      this.#byOrigin.set(origin, [['Access-Control-Allow-Origin', origin], varies, expose]);
    }
    this.varies = named.length > 0;
    const vary = this.varies ? [varies] : [];
    const any = named.length < origins.length;
    this.#otherReads = [...(any ? anyOrigin : noOrigin), ...vary];
    this.#otherWrites = any ? vary : this.#otherReads;
  }

  /** Always returns the same array for the same origin. */
  headersFor(request: RequestHead): readonly Header[] {
    if (this.#byOrigin.size > 0) {
      const named = this.#byOrigin.get(request.header('origin') ?? '');
      if (named) return named;
    }
    return isPreflight(request) && !asksToRead(request) ? this.#otherWrites : this.#otherReads;
  }
}

/** Whether the request that a preflight announces may be a read. */
function asksToRead(preflight: RequestHead): boolean {
  const method = preflight.header('access-control-request-method') ?? '';
  return onlyReads({ method, path: preflight.path, header: typeOfQuery });
}

function typeOfQuery(name: string): string | undefined {
  return name === 'content-type' ? 'application/sparql-query' : undefined;
}

/** Returns the response to a preflight on any routed path (G-32). */
export function preflightResponse(request: RequestHead, allow: string): HttpResponse {
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
