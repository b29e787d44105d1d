import { type IncomingHttpHeaders, request } from 'node:http';
import { checkResponse, codeOf } from './description-check.ts';

export interface RawResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Name, value, name, value, …, a pair for each line. */
  readonly rawHeaders: readonly string[];
  readonly text: string;
}

/** A request with any headers, those too that `fetch` decides by itself, such as `Host`. */
export function rawRequest(
  url: string,
  method: string,
  headers: Readonly<Record<string, string | string[]>> = {},
  body = '',
): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    const length = body === '' ? {} : { 'Content-Length': Buffer.byteLength(body) };
    const sent = request(url, { method, headers: { ...length, ...headers } }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      const { statusCode: status = 0, headers, rawHeaders } = response;
      response.on('end', () => {
        const contentType = headers['content-type'] ?? null;
        codeOf(contentType, () => text)
          .then((code) => checkResponse({ method, url, status, contentType, code }))
          .then(() => resolve({ status, headers, rawHeaders, text }), reject);
      });
    });
    sent.on('error', reject).end(body);
  });
}

/** Status and `code` of a problem; the status alone of another reply. */
export function verdictOf({ status, headers, text }: RawResponse): string {
  if (headers['content-type'] !== 'application/problem+json') return String(status);
  return `${status} ${(JSON.parse(text) as { code: string }).code}`;
}

/** The values of all lines of a header, in order. `name`: in lower case. */
export function linesOf({ rawHeaders }: RawResponse, name: string): string[] {
  return rawHeaders.filter((_value, i) => i % 2 === 1 && rawHeaders[i - 1]!.toLowerCase() === name);
}
