import { AppError, type ErrorData, errorData, toErrorData } from '../../errors.ts';
import { COMMIT_HEADER, type CommitSource, commitOf } from '../middleware/commit-tokens.ts';
import { notHere, type Peers } from '../middleware/peers.ts';
import { isMonitoring } from '../middleware/probes.ts';
import { problemResponse, statusOfCode } from '../problem.ts';
import type { HttpRequest, HttpResponse } from '../server/message.ts';
import { onlyReads } from '../server/only-reads.ts';
import { BufferedRequest } from './buffered-request.ts';
import type { ClusterView, PeerAddress } from './cluster-view.ts';
import { requestFields } from './passed-fields.ts';
import { type OutgoingRequest, type PeerClient, PeerFailure } from './peer-client.ts';
import { passedResponse } from './peer-response.ts';
import { RunningWrites } from './running-writes.ts';

type Handle = (request: HttpRequest) => HttpResponse | Promise<HttpResponse>;

/** How requests that another process has to execute ended. */
export interface ForwardingCounts {
  /** The other process has responded. */
  passed: number;
  /** The client was redirected to it. */
  redirected: number;
  /** No process held the lease, or it could not be reached: nothing was done. */
  unavailable: number;
  /** The connection broke off after all had been sent. */
  unknown: number;
}

export interface ForwarderParts {
  readonly cluster: ClusterView;
  readonly client: Pick<PeerClient, 'send'>;
  readonly peers: Peers;
  readonly commits: CommitSource;
  /** Whether clients are redirected, instead of forwarding their requests. */
  readonly redirects: boolean;
  /** Returns the path of the route that serves a path, for the counts of requests. */
  readonly routeOf: (path: string) => string;
  /** Told once, until it can be reached again, that the process with the lease can't be reached. */
  readonly onUnreachable: (holder: PeerAddress, reason: string) => void;
}

/**
 * How long a request waits for a process that holds the lease: a lease expires after 5 seconds, and
 * others try to get it each second.
 */
const HOLDER_MS = 8_000;
/** Time before the next attempt at a process that can't be reached: it may be starting. */
const RETRY_MS = 250;
/** Bodies up to this size are read before they are sent, so that they can be sent again. */
const REPEATABLE_BYTES = 64 * 1024;
/** After a write that another process has executed, this one waits for its commit this long. */
const FOLLOW_MS = 5_000;
/** The process that executes the request applies the limits of bodies. */
const NO_LIMIT = Number.MAX_SAFE_INTEGER;

/**
 * Has requests that write executed by the process that holds the lease (http-api G-152). This
 * process has already applied its access control to them.
 */
export class Forwarder {
  readonly counts: ForwardingCounts = { passed: 0, redirected: 0, unavailable: 0, unknown: 0 };
  readonly #parts: ForwarderParts;
  readonly #handle: Handle;
  readonly #running = new RunningWrites();
  /** The process that operators were told about last. */
  #unreachable: string | undefined;

  /** `handle` executes requests here. */
  constructor(parts: ForwarderParts, handle: Handle) {
    this.#parts = parts;
    this.#handle = handle;
  }

  handle(request: HttpRequest): HttpResponse | Promise<HttpResponse> {
    if (request.method === 'GET' || isLocal(request)) return this.#handle(request);
    if (onlyReads(request) && !mayUpdate(request)) return this.#handle(request);
    return this.#running.add(this.#execute(request));
  }

  /** Resolves when no request that may write is being executed, or after this time. */
  writesEnded(limitMs: number): Promise<void> {
    return this.#running.ended(limitMs);
  }

  #execute(request: HttpRequest): HttpResponse | Promise<HttpResponse> {
    if (this.#parts.cluster.holdsLease) return this.#handle(request);
    if (onlyReads(request)) return this.#handleForm(request);
    // It was forwarded already. The lease has just gone to another process.
    if (this.#parts.peers.trusts(request)) return problemResponse(notHere, request);
    return this.#forward(request);
  }

  /** Executes a query here. An update is known only when its handler has read the body. */
  async #handleForm(request: HttpRequest): Promise<HttpResponse> {
    const buffered = new BufferedRequest(request);
    const response = await this.#handle(buffered);
    const body = buffered.bodyOfUpdate;
    if (body === undefined) return response;
    if (this.#parts.peers.trusts(request)) return problemResponse(notHere, request);
    return this.#pass(request, body);
  }

  async #forward(request: HttpRequest): Promise<HttpResponse> {
    if (this.#parts.redirects || !isRepeatable(request)) return this.#pass(request, undefined);
    const body = await request.readBody(REPEATABLE_BYTES);
    return body.ok ? this.#pass(request, body.value) : problemResponse(body.error, request);
  }

  /** `body`: if it has been read already. */
  async #pass(request: HttpRequest, body: Uint8Array | undefined): Promise<HttpResponse> {
    const { cluster, routeOf } = this.#parts;
    request.route = routeOf(request.path);
    const end = performance.now() + HOLDER_MS;
    let isGone = false;
    let reason: string | undefined;
    request.onAbort(() => {
      isGone = true;
    });
    while (!isGone) {
      if (cluster.holdsLease) return this.#handle(body ? new BufferedRequest(request, body) : request);
      const { holder } = cluster;
      const result = holder && (await this.#attempt(holder, request, body));
      if (result && 'status' in result) return result;
      reason = result?.unsent;
      const left = end - performance.now();
      if (left <= 0) break;
      await cluster.change(holder ? RETRY_MS : left);
    }
    return isGone ? problemResponse(clientGone, request) : this.#unreached(request, reason);
  }

  /** `reason`: why the process with the lease could not be reached, if there is one. */
  #unreached(request: HttpRequest, reason: string | undefined): HttpResponse {
    const { holder } = this.#parts.cluster;
    if (!holder || reason === undefined) return this.#unavailable(request, NO_HOLDER);
    if (this.#unreachable !== holder.process) this.#parts.onUnreachable(holder, reason);
    this.#unreachable = holder.process;
    const message = `The process ${holder.process}, which holds the lease, can't be reached (${reason}).`;
    return this.#unavailable(request, message);
  }

  async #attempt(
    holder: PeerAddress,
    request: HttpRequest,
    body: Uint8Array | undefined,
  ): Promise<HttpResponse | Unsent> {
    if (this.#parts.redirects) return this.#redirect(holder, request);
    const outgoing = this.#outgoing(request, body);
    request.onAbort(() => {
      outgoing.isAborted = true;
    });
    try {
      const incoming = await this.#parts.client.send(holder, outgoing);
      if (incoming.statusCode !== notHereStatus)
        return await this.#passBack(await passedResponse(incoming, request));
      incoming.resume();
      if (!outgoing.hasBegun) return { unsent: 'it does not hold the lease any more' };
      return this.#unavailable(request, 'The lease has just gone to another process.');
    } catch (error) {
      return this.#failed(error, request, outgoing);
    }
  }

  #failed(error: unknown, request: HttpRequest, outgoing: Outgoing): HttpResponse | Unsent {
    if (error instanceof AppError && error.code !== 'outcome-unknown') {
      return problemResponse(toErrorData(error), request);
    }
    if (outgoing.isAborted) return problemResponse(clientGone, request);
    const progress = error instanceof PeerFailure ? error.progress : 'sent';
    const cause = (error as Error).message;
    if (progress === 'unsent') return { unsent: cause };
    const reason = `The connection to the process that holds the lease broke off (${cause}).`;
    if (progress !== 'sent') return this.#unavailable(request, `${reason} Nothing was stored.`);
    this.counts.unknown++;
    const message = `${reason} Whether the request was executed is unknown: read before you repeat it.`;
    return problemResponse(errorData('outcome-unknown', message), request);
  }

  #redirect({ url }: PeerAddress, request: HttpRequest): HttpResponse {
    this.counts.redirected++;
    return {
      status: 307,
      headers: [
        ['Location', url + request.target],
        ['Cache-Control', 'no-store'],
      ],
    };
  }

  /** A client that reads here what it has written sees it, without a token. */
  async #passBack(response: HttpResponse): Promise<HttpResponse> {
    this.counts.passed++;
    this.#unreachable = undefined;
    const { commits } = this.#parts;
    const token = response.headers.find(([name]) => name.toLowerCase() === COMMIT_HEADER.toLowerCase())?.[1];
    const commit = commitOf(token, commits);
    if (commit !== undefined) await commits.whenCommitted(commit, FOLLOW_MS);
    return response;
  }

  #unavailable(request: HttpRequest, message: string): HttpResponse {
    this.counts.unavailable++;
    return problemResponse(unavailable(message), request);
  }

  #outgoing(request: HttpRequest, body: Uint8Array | undefined): Outgoing {
    const { method, target } = request;
    const added = [...this.#parts.peers.fieldsFor(request), ...framing(request, body)];
    const outgoing: Outgoing = {
      method,
      target,
      fields: requestFields(request.headers, added),
      hasBegun: false,
      isAborted: false,
      onAbort: (cancel) => request.onAbort(cancel),
      body: () => {
        if (body !== undefined) return body;
        outgoing.hasBegun = true;
        return request.streamBody(NO_LIMIT);
      },
    };
    return outgoing;
  }
}

/** A request that was not executed, and can be sent again, with the reason. */
interface Unsent {
  readonly unsent: string;
}

interface Outgoing extends OutgoingRequest {
  /** Whether the client's body has been read, other than to keep it. */
  hasBegun: boolean;
  /** Whether the client has disconnected. */
  isAborted: boolean;
}

const NO_HOLDER = 'No process holds the lease at the moment.';
const notHereStatus = statusOfCode(notHere.code);
const clientGone = errorData('cancelled', 'The client disconnected.');

function unavailable(message: string): ErrorData {
  return errorData('unavailable', message, { retryAfter: 1 });
}

const writingMethods: ReadonlySet<string> = new Set(['PUT', 'POST', 'PATCH', 'DELETE']);

/**
 * Tasks and the state of a process are its own, and methods that nothing supports need no other
 * process. Some of these paths are open to everybody.
 */
function isLocal({ method, path }: HttpRequest): boolean {
  if (!writingMethods.has(method) || isMonitoring(path)) return true;
  return path === '/tasks' || path.startsWith('/tasks/');
}

/** Whether a request that seems to read may be an update. */
function mayUpdate({ method, path }: HttpRequest): boolean {
  return method === 'POST' && !path.startsWith('/ldpath/');
}

function hasBody(request: HttpRequest): boolean {
  const length = request.header('content-length');
  return length === undefined ? request.header('transfer-encoding') !== undefined : Number(length) > 0;
}

/** Whether the request has no body, or a short one, so that it can be sent again. */
function isRepeatable(request: HttpRequest): boolean {
  if (!hasBody(request)) return true;
  const length = request.header('content-length');
  return length !== undefined && Number(length) <= REPEATABLE_BYTES;
}

/**
 * Returns the field that delimits the body as it is sent. No client decides where the next request
 * on the same connection begins.
 */
function framing(request: HttpRequest, body: Uint8Array | undefined): readonly string[] {
  if (body !== undefined) return ['content-length', String(body.length)];
  if (request.header('transfer-encoding') !== undefined) return ['transfer-encoding', 'chunked'];
  return ['content-length', request.header('content-length') ?? '0'];
}
