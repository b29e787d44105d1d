/** Stands for a number that is another one in every request, in path, headers and body. */
export const NUMBER = '{number}';

/** A request as the load generator takes it, and what a right answer to it is. */
export interface LoadRequest {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE';
  /** With the query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly expect: Expectation;
}

export interface Expectation {
  /** One, or any of several. */
  readonly status: number | readonly number[];
  /** A text of every right body; looked for in a part of the answers. */
  readonly contains?: string;
  /** Length of every right body. */
  readonly bytes?: number;
}

/** Requests, sent in turn. */
export interface Target {
  /** Scheme, host and port. */
  readonly url: string;
  /** More servers with the same data: connections go to each of them in turn. */
  readonly moreUrls?: readonly string[];
  readonly requests: readonly LoadRequest[];
}

/** As it goes over the wire. */
export function format({ method, path, headers = {}, body }: LoadRequest, host: string): string {
  const length = body === undefined ? [] : [`Content-Length: ${Buffer.byteLength(body)}`];
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`${method} ${path} HTTP/1.1`, `Host: ${host}`, ...fields, ...length, '', body ?? ''].join('\r\n');
}

/** Gives the bytes of a request, with the number where it stands. */
export function formatter(request: LoadRequest, host: string): (number: number) => Buffer {
  const fixed = Buffer.from(format(request, host));
  return fixed.includes(NUMBER)
    ? (number) => Buffer.from(format(numbered(request, number), host))
    : () => fixed;
}

/** The request with a number in its place. */
export function numbered(request: LoadRequest, number: number): LoadRequest {
  const fill = (text: string) => text.replaceAll(NUMBER, String(number));
  const { path, headers = {}, body } = request;
  const filled = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, fill(value)]));
  return { ...request, path: fill(path), headers: filled, ...(body !== undefined && { body: fill(body) }) };
}

/** What is wrong with an answer, or undefined. */
export function fault(
  { status, contains, bytes }: Expectation,
  answer: { readonly status: number; readonly bytes: number; readonly body: Buffer | undefined },
): string | undefined {
  if (![status].flat().includes(answer.status)) return `status ${answer.status} in place of ${status}`;
  if (bytes !== undefined && answer.bytes !== bytes) return `${answer.bytes} bytes in place of ${bytes}`;
  if (contains === undefined || answer.body === undefined || answer.body.includes(contains)) return undefined;
  return `a body without ${JSON.stringify(contains)}`;
}
