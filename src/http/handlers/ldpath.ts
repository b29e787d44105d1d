import { promisify } from 'node:util';
import { gunzip as gunzipCallback } from 'node:zlib';
import { AppError, type ErrorData, type Result, toErrorData } from '../../errors.ts';
import { parseContentType } from '../../rdf/media-types.ts';
import type { LdPathService } from '../../services/ldpath.ts';
import { parseCharset, parseContentCoding } from '../body-coding.ts';
import { jsonReply, refuseUnlessJson } from '../json-reply.ts';
import type { HttpReply, HttpRequest } from '../message.ts';
import { required, requiredNode, withQuery } from '../parameters.ts';
import { refusal } from '../problem.ts';
import type { Query } from '../query.ts';
import type { Route } from '../router.ts';

type LdPath = Pick<LdPathService, 'evaluate'>;

const gunzip = promisify(gunzipCallback);

/** Evaluation of one path or program (http-api 4.1 to 4.3). `maxBytes`: of a program, unpacked. */
export function ldPathRoutes(service: LdPath, limits: { readonly maxBytes: number }): Route[] {
  const get = (mode: 'path' | 'program') =>
    withQuery((request, query) => evaluate(service, mode, required(query, mode), request, query));
  const post = withQuery((request, query) => evaluatePosted(service, limits.maxBytes, request, query));
  return [
    { path: '/ldpath/path', methods: { GET: get('path') } },
    { path: '/ldpath/program', methods: { GET: get('program'), POST: post } },
  ];
}

function evaluate(
  service: LdPath,
  mode: 'path' | 'program',
  source: Result<string>,
  request: HttpRequest,
  query: Query,
): HttpReply | Promise<HttpReply> {
  if (!source.ok) return refusal(source.error, request);
  const start = requiredNode(query, 'uri');
  if (!start.ok) return refusal(start.error, request);
  const refused = refuseUnlessJson(request);
  if (refused) return refused;
  const namespaces = query.namespaces();
  const evaluation = { mode, source: source.value, start: start.value, ...(namespaces && { namespaces }) };
  return service
    .evaluate(evaluation, (listener) => request.onAbort(listener))
    .then((answer) => (answer.ok ? jsonReply(answer.value) : refusal(answer.error, request)));
}

async function evaluatePosted(
  service: LdPath,
  maxBytes: number,
  request: HttpRequest,
  query: Query,
): Promise<HttpReply> {
  const start = requiredNode(query, 'uri');
  if (!start.ok) return refusal(start.error, request);
  const body = await readText(request, maxBytes);
  if (!body.ok) return refusal(body.error, request);
  const source = body.value === '' ? required(query, 'program') : body;
  return evaluate(service, 'program', source, request, query);
}

/** The body as text, whatever its type says but for charset and coding (G-61, G-62). */
async function readText(request: HttpRequest, maxBytes: number): Promise<Result<string>> {
  const coding = parseContentCoding(request.header('content-encoding'));
  if (!coding.ok) return coding;
  const charset = parseCharset(parseContentType(request.header('content-type'))?.charset);
  if (!charset.ok) return charset;
  const body = await request.readBody(maxBytes);
  if (!body.ok) return body;
  const unpacked = coding.value === 'gzip' ? await unpack(body.value, maxBytes) : body;
  return unpacked.ok ? decode(unpacked.value, charset.value ?? 'utf-8') : unpacked;
}

async function unpack(bytes: Uint8Array, maxBytes: number): Promise<Result<Uint8Array>> {
  try {
    return { ok: true, value: await gunzip(bytes, { maxOutputLength: maxBytes }) };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ERR_BUFFER_TOO_LARGE') {
      return fail(new AppError('too-large', `The body may have ${maxBytes} bytes at most, unpacked.`));
    }
    return fail(new AppError('parse-error', 'The body is not valid gzip.', { source: 'body' }));
  }
}

function decode(bytes: Uint8Array, charset: string): Result<string> {
  try {
    return { ok: true, value: new TextDecoder(charset, { fatal: true }).decode(bytes) };
  } catch {
    return fail(new AppError('parse-error', `The body is not valid ${charset}.`, { source: 'body' }));
  }
}

function fail(error: AppError): { ok: false; error: ErrorData } {
  return { ok: false, error: toErrorData(error) };
}
