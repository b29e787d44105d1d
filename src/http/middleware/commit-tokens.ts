import { seesEverything } from '../../base/graph-access.ts';
import { type ErrorCode, type ErrorData, errorData, failure, type Result } from '../../errors.ts';
import { problemResponse } from '../problem.ts';
import type { HttpRequest, HttpResponse } from '../server/message.ts';
import { onlyReads } from '../server/only-reads.ts';
import { needsAllGraphs } from '../whole-view.ts';
import type { Peers } from './peers.ts';
import { isConsole, isProbe } from './probes.ts';

export const COMMIT_HEADER = 'Pathpool-Commit';
const FIELD = COMMIT_HEADER.toLowerCase();

/** How long a request waits for a commit (http-api G-151), in milliseconds. */
const LIMIT_MS = 5_000;

/** What of the store commits are read from. */
export interface CommitSource {
  readonly identityName: string;
  /** The newest version of the data. */
  readonly snapshot: { readonly sequence: number };
  /** Resolves with false if the commit is not there within this time in milliseconds. */
  whenCommitted(sequence: number, limitMs: number): Promise<boolean>;
}

type Trust = Pick<Peers, 'trusts'>;
type Handle = (request: HttpRequest) => HttpResponse | Promise<HttpResponse>;
type RequestHead = Pick<HttpRequest, 'header' | 'query' | 'method' | 'path'>;

/** Names a commit of a data set (G-150). */
interface CommitToken {
  readonly identity: string;
  readonly sequence: number;
}

/**
 * Wraps a handler so that responses to writes name the newest commit, and requests that name one
 * wait until the data contain it. Clients that may not read all graphs learn no numbers of commits,
 * which would count what is written to the others (G-164). `peers`: other processes of the cluster,
 * which need the tokens, whoever the client is.
 */
export function withCommitTokens(handle: Handle, commits: CommitSource, peers?: Trust): Handle {
  const isForAll = (request: HttpRequest) => seesEverything(request) || (peers?.trusts(request) ?? false);
  return (request) => {
    if (isOpen(request.path)) return handle(request);
    const given = givenToken(request);
    if (!isForAll(request)) {
      return given ? problemResponse(needsAllGraphs, request) : untagged(handle(request));
    }
    if (given === undefined) return tagged(handle(request), request, commits);
    return waitFor(given, commits).then((error) =>
      error ? problemResponse(error, request) : tagged(handle(request), request, commits),
    );
  };
}

/** Returns the number of the commit that a response names, of this data set. */
export function commitOf(token: string | undefined, { identityName }: CommitSource): number | undefined {
  const read = parseToken(token ?? '');
  return read?.identity === identityName ? read.sequence : undefined;
}

function tagged(
  response: HttpResponse | Promise<HttpResponse>,
  request: HttpRequest,
  commits: CommitSource,
): HttpResponse | Promise<HttpResponse> {
  if (request.method === 'GET' || request.method === 'HEAD') return response;
  return response instanceof Promise
    ? response.then((settled) => withToken(settled, request, commits))
    : withToken(response, request, commits);
}

/** The process that executed the request may have named its commit. */
async function untagged(response: HttpResponse | Promise<HttpResponse>): Promise<HttpResponse> {
  const settled = await response;
  return { ...settled, headers: settled.headers.filter(([name]) => name.toLowerCase() !== FIELD) };
}

/** Whether a path is for clients without credentials, who must learn nothing of the data. */
function isOpen(path: string): boolean {
  return isProbe(path) || isConsole(path);
}

/** A response that another process has made has its token already. */
function withToken(response: HttpResponse, request: HttpRequest, commits: CommitSource): HttpResponse {
  if (onlyReads(request) && !request.mayWrite) return response;
  if (response.headers.some(([name]) => name.toLowerCase() === FIELD)) return response;
  const token = `${commits.identityName}.${commits.snapshot.sequence}`;
  return { ...response, headers: [...response.headers, [COMMIT_HEADER, token]] };
}

async function waitFor(given: Result<CommitToken>, commits: CommitSource): Promise<ErrorData | undefined> {
  if (!given.ok) return given.error;
  const { identity, sequence } = given.value;
  if (identity !== commits.identityName) {
    const message = `The commit ${identity}.${sequence} is one of another data set; this one is ${commits.identityName}. Send the request without it.`;
    return errorData('precondition-failed', message);
  }
  if (await commits.whenCommitted(sequence, LIMIT_MS)) return undefined;
  const message = `The data do not contain the commit ${sequence} yet; the newest one is ${commits.snapshot.sequence}.`;
  return errorData('unavailable', message, { retryAfter: 1 });
}

/** Reads the token from the header, or else from the query; undefined if neither has one. */
function givenToken(request: RequestHead): Result<CommitToken> | undefined {
  const inHeader = request.header(FIELD);
  if (inHeader !== undefined) return readToken(inHeader, 'bad-arguments', `The header ${COMMIT_HEADER}`);
  const { query } = request;
  if (query === '' || !query.includes('commit=')) return undefined;
  const [, inQuery = ''] = /(?:^|&)commit=([^&]*)/.exec(query) ?? [];
  return inQuery === '' || (/^\d+$/.test(inQuery) && isGraphRead(request))
    ? undefined
    : readToken(inQuery, 'bad-query', "The parameter 'commit'");
}

/** Whether a plain number in the query names the state of a graph that is read (C-40). */
function isGraphRead({ method, path, query }: RequestHead): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  if (path === '/context' || path === '/store') return /(?:^|&)(?:graph=[^&]|default(?:[=&]|$))/.test(query);
  return /^\/(?:context|store)\//.test(path) && path !== '/context/list';
}

function readToken(text: string, code: ErrorCode, where: string): Result<CommitToken> {
  const value = parseToken(text);
  if (value) return { ok: true, value };
  return failure(
    code,
    `${where} must be as a response to a write has it: 8 letters or digits, a dot, a number.`,
  );
}

function parseToken(text: string): CommitToken | undefined {
  const [, identity, digits] = /^([a-z0-9]{8})\.(\d{1,15})$/.exec(text) ?? [];
  return identity === undefined ? undefined : { identity, sequence: Number(digits) };
}
