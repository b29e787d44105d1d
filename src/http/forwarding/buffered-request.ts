import { AppError, type ErrorData, errorData, failure, type Result } from '../../errors.ts';
import type { HttpRequest, IncomingBody } from '../server/message.ts';

const ELSEWHERE = errorData('unavailable', 'Another process executes this request.');

/**
 * A request whose body is kept when it is read, so that it can be sent to another process, or read
 * again.
 */
export class BufferedRequest implements HttpRequest {
  readonly #request: HttpRequest;
  #body: Uint8Array | undefined;
  /** Whether a write is executed here. */
  readonly #isHere: boolean;
  #isUpdate = false;

  /** `body`: if it has been read already, and the request is executed here. */
  constructor(request: HttpRequest, body?: Uint8Array) {
    this.#request = request;
    this.#body = body;
    this.#isHere = body !== undefined;
  }

  /** The body of a request that has turned out to write, although its head does not show it. */
  get bodyOfUpdate(): Uint8Array | undefined {
    return this.#isUpdate ? this.#body : undefined;
  }

  get method(): string {
    return this.#request.method;
  }

  get path(): string {
    return this.#request.path;
  }

  get query(): string {
    return this.#request.query;
  }

  get target(): string {
    return this.#request.target;
  }

  get requestLine(): string {
    return this.#request.requestLine;
  }

  get requestId(): string | undefined {
    return this.#request.requestId;
  }

  get remoteAddress(): string {
    return this.#request.remoteAddress;
  }

  get user(): string | undefined {
    return this.#request.user;
  }

  get access(): HttpRequest['access'] {
    return this.#request.access;
  }

  get headers(): readonly string[] {
    return this.#request.headers;
  }

  get mayWrite(): boolean {
    return this.#request.mayWrite ?? false;
  }

  get route(): string | undefined {
    return this.#request.route;
  }

  set route(route: string | undefined) {
    this.#request.route = route;
  }

  header(name: string): string | undefined {
    return this.#request.header(name);
  }

  onAbort(listener: () => void): void {
    this.#request.onAbort(listener);
  }

  reserveBytes(bytes: number): boolean {
    return this.#request.reserveBytes(bytes);
  }

  async readBody(maxBytes: number): Promise<Result<Uint8Array>> {
    if (this.#body !== undefined) return this.#within(maxBytes);
    const read = await this.#request.readBody(maxBytes);
    if (read.ok) this.#body = read.value;
    return read;
  }

  async *streamBody(maxBytes: number): IncomingBody {
    const read = await this.readBody(maxBytes);
    if (!read.ok) throw new AppError(read.error.code, read.error.message, read.error.details);
    if (read.value.length > 0) yield read.value;
  }

  #within(maxBytes: number): Result<Uint8Array> {
    const value = this.#body!;
    if (value.length <= maxBytes) return { ok: true, value };
    return failure('too-large', `The body must not exceed ${maxBytes} bytes.`);
  }

  /** Once the body is known, a request that may write is one that will. */
  checkWrite(): ErrorData | undefined | Promise<ErrorData | undefined> {
    const verdict = this.#request.checkWrite();
    return verdict instanceof Promise ? verdict.then((settled) => this.#note(settled)) : this.#note(verdict);
  }

  #note(verdict: ErrorData | undefined): ErrorData | undefined {
    if (verdict || this.#isHere || this.#body === undefined) return verdict;
    this.#isUpdate = true;
    return ELSEWHERE;
  }
}
