import http, { type ClientRequest, type IncomingMessage } from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';
import { AppError } from '../../errors.ts';
import { MAX_FIELDS } from '../middleware/framing.ts';
import type { PeerAddress } from './cluster-view.ts';
import { asBytes } from './passed-fields.ts';

/**
 * How far a request had gone when it failed:
 * - `unsent`: the other process has received nothing of it
 * - `incomplete`: it has not received the end of the body, so it has done nothing
 * - `sent`: it may have done what was asked
 */
export type Progress = 'unsent' | 'incomplete' | 'sent';

/** The other process can't be reached, or has broken the connection off. */
export class PeerFailure extends Error {
  readonly progress: Progress;

  constructor(progress: Progress, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.progress = progress;
  }
}

/** A request as the other process receives it. */
export interface OutgoingRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  /** Name, value, name, value, …; with the framing of the body. */
  readonly fields: readonly string[];
  /** Called when the connection is there: nothing is read of it before. */
  readonly body: () => Uint8Array | AsyncIterable<Uint8Array> | undefined;
  /** Calls `cancel` when nobody waits for the response any more. */
  readonly onAbort: (cancel: () => void) => void;
}

const CONNECT_MS = 2_000;
/** Less than the idle time of the fronts: no request meets the end of a connection. */
const IDLE_MS = 4_000;
/** A process that is no member any more gets this long to answer what it has received. */
const GONE_MS = 4_000;
const CHECK_MS = 1_000;
/** Of a response, of which several fields may have an IRI as long as the head of a request. */
const MAX_HEAD_BYTES = 1024 * 1024;

/** Node.js adds `Connection`. */
const ADDED_FIELDS = 1;

interface Pending {
  readonly request: ClientRequest;
  readonly process: string;
  /** When it was missed first. */
  missing: number | undefined;
}

/** Sends requests to other processes of the cluster, over connections that are kept open. */
export class PeerClient {
  readonly #agents = {
    http: new http.Agent({ keepAlive: true, timeout: IDLE_MS }),
    https: new https.Agent({ keepAlive: true, timeout: IDLE_MS }),
  };
  readonly #pending = new Set<Pending>();
  readonly #isGone: (process: string) => boolean;
  #timer: NodeJS.Timeout | undefined;

  /** `isGone`: whether a process is known to be no member of the cluster. */
  constructor(isGone: (process: string) => boolean) {
    this.#isGone = isGone;
  }

  /**
   * Resolves with the head of the response, even if the body has not been sent as a whole. Throws a
   * `PeerFailure`, the error of the body, or `bad-arguments` or `head-too-large` for a head that
   * can't be sent.
   */
  async send({ url, process }: PeerAddress, outgoing: OutgoingRequest): Promise<IncomingMessage> {
    const request = this.#open(url, outgoing);
    const pending = { request, process, missing: undefined };
    this.#watch(pending);
    outgoing.onAbort(() => request.destroy());
    const transfer = new Transfer(request, declaredLength(outgoing.fields));
    try {
      await transfer.connected();
      const response = await transfer.exchange(outgoing.body());
      response.once('close', () => this.#pending.delete(pending));
      return response;
    } catch (error) {
      this.#pending.delete(pending);
      request.destroy();
      throw error instanceof AppError ? error : new PeerFailure(transfer.progress, error);
    }
  }

  close(): void {
    clearInterval(this.#timer);
    for (const { request } of this.#pending) request.destroy();
    for (const agent of Object.values(this.#agents)) agent.destroy();
  }

  #open(url: string, { method, target, fields }: OutgoingRequest): ClientRequest {
    checkCount(fields.length / 2 + ADDED_FIELDS);
    const { protocol, hostname, port } = new URL(url);
    const host = hostname.replace(/^\[(.*)\]$/, '$1');
    const path = asBytes(target);
    const options = {
      ...{ method, host, path, headers: fields, maxHeaderSize: MAX_HEAD_BYTES },
      ...(port !== '' && { port }),
    };
    // Otherwise the server would be asked for the certificate of the client's `Host`. TLS has no
    // such name for an IP address.
    const servername = isIP(host) === 0 ? host : '';
    try {
      return protocol === 'https:'
        ? https.request({ ...options, servername, agent: this.#agents.https })
        : http.request({ ...options, agent: this.#agents.http });
    } catch (error) {
      const message = `The request can't be forwarded (${(error as Error).message}).`;
      throw new AppError('bad-arguments', message, {}, error);
    }
  }

  #watch(pending: Pending): void {
    this.#pending.add(pending);
    this.#timer ??= setInterval(() => this.#check(), CHECK_MS).unref();
  }

  /** A stopped machine closes no connections. */
  #check(): void {
    const now = performance.now();
    for (const pending of this.#pending) {
      pending.missing = this.#isGone(pending.process) ? (pending.missing ?? now) : undefined;
      if (pending.missing === undefined || now - pending.missing < GONE_MS) continue;
      pending.request.destroy(new Error('The other process is gone.'));
    }
  }
}

/** One request on its way. */
class Transfer {
  progress: Progress = 'unsent';
  readonly #request: ClientRequest;
  readonly #response: Promise<IncomingMessage>;
  /** Bytes of the body that are still to be sent; infinite if its length is unknown. */
  #left: number;
  #isAnswered = false;

  /** `length`: of the body, if it is known before. */
  constructor(request: ClientRequest, length = Number.POSITIVE_INFINITY) {
    this.#request = request;
    this.#left = length;
    this.#response = new Promise((resolve, reject) => {
      request.once('response', (response) => {
        this.#isAnswered = true;
        resolve(response);
      });
      // Errors may follow the first one, and the response.
      request.on('error', reject);
      request.once('close', () => reject(new Error('The connection was closed.')));
    });
    this.#response.catch(() => {});
  }

  /** Nothing is sent before the first byte is written. */
  async connected(): Promise<void> {
    const request = this.#request;
    const connected = new Promise<void>((resolve) => {
      request.once('socket', (socket) => {
        socket.setNoDelay(true);
        if (!socket.connecting) resolve();
        else socket.once(isEncrypted(request) ? 'secureConnect' : 'connect', () => resolve());
      });
    });
    const timer = setTimeout(() => request.destroy(new Error('No connection in time.')), CONNECT_MS);
    try {
      await Promise.race([connected, this.#response]);
    } finally {
      clearTimeout(timer);
    }
  }

  async exchange(body: Uint8Array | AsyncIterable<Uint8Array> | undefined): Promise<IncomingMessage> {
    if (body === undefined || body instanceof Uint8Array) {
      this.progress = 'sent';
      this.#request.end(body);
      return this.#response;
    }
    this.progress = 'incomplete';
    const response = await Promise.race([this.#response, this.#pump(body).then(() => this.#response)]);
    // After an early response, the rest of the body is not sent, so the connection is of no use.
    if (!this.#request.writableEnded) response.once('end', () => this.#request.destroy());
    return response;
  }

  async #pump(body: AsyncIterable<Uint8Array>): Promise<void> {
    for await (const chunk of body) {
      if (this.#isAnswered) return;
      this.#left -= chunk.length;
      // With these bytes the other process has everything, even if the end is still unknown here.
      if (this.#left <= 0) this.progress = 'sent';
      await this.#write(chunk);
    }
    if (this.#isAnswered) return;
    this.progress = 'sent';
    this.#request.end();
  }

  /** A chunk is valid until the next one is requested, so it must have left this process. */
  async #write(chunk: Uint8Array): Promise<void> {
    const written = new Promise<void>((resolve, reject) => {
      this.#request.write(chunk, (error) => (error ? reject(error) : resolve()));
    });
    await Promise.race([written, this.#response]);
  }
}

/** The other process could not say what is wrong: uWebSockets.js refuses such a head by itself. */
function checkCount(fields: number): void {
  if (fields <= MAX_FIELDS) return;
  const message = `The request is forwarded to another process, for which it would have ${fields} header fields; at most ${MAX_FIELDS} are possible.`;
  throw new AppError('head-too-large', message);
}

function declaredLength(fields: readonly string[]): number | undefined {
  const at = fields.findIndex((text, i) => i % 2 === 0 && text === 'content-length');
  return at === -1 ? undefined : Number(fields[at + 1]);
}

function isEncrypted({ protocol }: ClientRequest): boolean {
  return protocol === 'https:';
}
