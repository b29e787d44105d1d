import type { ByteBudget } from '../../src/base/byte-budget.ts';
import { AppError, type ErrorData, toErrorData } from '../../src/errors.ts';
import type { Header } from '../../src/http/server/header.ts';
import type { ResponseHead } from '../../src/http/server/header-lines.ts';
import type { HttpRequest, HttpResponse } from '../../src/http/server/message.ts';

export interface FakeRequestOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Why the request must not write. */
  readonly forbidden?: ErrorData;
  /** For bytes that are made of the body; without limit by default. */
  readonly room?: ByteBudget;
}

/** A request without a socket. `target`: path and query. */
export function fakeRequest(method: string, target: string, options: FakeRequestOptions = {}): HttpRequest {
  const [path, query = ''] = target.split('?', 2) as [string, string?];
  const headers = new Map(Object.entries(options.headers ?? {}).map(([k, v]) => [k.toLowerCase(), v]));
  const body = Buffer.from(options.body ?? '');
  return {
    method,
    path,
    query,
    target,
    remoteAddress: '127.0.0.1',
    user: undefined,
    access: undefined,
    requestId: undefined,
    requestLine: `${method} ${target}`,
    headers: [...headers].flat(),
    header: (name) => headers.get(name),
    readBody: (maxBytes) =>
      Promise.resolve(
        body.length <= maxBytes
          ? { ok: true, value: body }
          : { ok: false, error: toErrorData(new AppError('too-large', 'The body is too large.')) },
      ),
    reserveBytes: (bytes) => options.room?.reserve(bytes) ?? true,
    streamBody: async function* (maxBytes) {
      if (body.length > maxBytes) throw new AppError('too-large', 'The body is too large.');
      if (body.length > 0) yield body;
    },
    checkWrite: () => options.forbidden,
    onAbort: () => {},
  };
}

/** All headers of a response. */
export function headersOf({ headers, lines }: HttpResponse): Header[] {
  const formatted = lines ? headText(lines.after('')).split('\r\n').slice(1) : [];
  return [...headers, ...formatted.map((line) => line.split(/: (.*)/s, 2) as [string, string])];
}

export function headText(head: ResponseHead): string {
  return typeof head === 'string' ? head : Buffer.from(head).toString();
}

/** The value of a header of a response; of several with the same name joined. */
export function headerOf(response: HttpResponse, name: string): string | undefined {
  const values = headersOf(response).filter(([key]) => key.toLowerCase() === name.toLowerCase());
  return values.length === 0 ? undefined : values.map(([, value]) => value).join(', ');
}

export function bodyText(response: HttpResponse): string {
  return typeof response.body === 'string'
    ? response.body
    : Buffer.from((response.body ?? '') as Uint8Array).toString();
}

export function bodyJson(response: HttpResponse): unknown {
  return JSON.parse(bodyText(response));
}
