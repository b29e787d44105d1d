import { AppError, toErrorData } from '../../errors.ts';
import type { Bulk } from '../../pool/bulk.ts';
import { negotiate } from '../../rdf/accept.ts';
import type { LdPathService } from '../../services/ldpath.ts';
import type { BodyStream, HttpReply, HttpRequest } from '../message.ts';
import { withQuery } from '../parameters.ts';
import { problemReply, refusal } from '../problem.ts';
import type { Route } from '../router.ts';
import { linesOf } from './ldpath-batch-lines.ts';
import { parseBatch } from './ldpath-batch-request.ts';
import { readUtf8 } from './ldpath-body.ts';

export interface BatchOptions {
  /** The base URL, without a trailing slash. */
  readonly base: string;
  /** Maximum bytes of the decoded body. */
  readonly maxBytes: number;
  readonly maxStarts: number;
}

const NDJSON = 'application/x-ndjson';
const candidates = [{ type: NDJSON }, { type: 'application/json' }];

/**
 * Routes for the evaluation of one program for many start resources. The response is a stream of
 * lines (http-api 4.8).
 */
export function ldPathBatchRoutes(service: Pick<LdPathService, 'batch'>, options: BatchOptions): Route[] {
  return [
    {
      path: '/ldpath/batch',
      methods: { POST: withQuery((request) => startBatch(service, options, request)) },
    },
  ];
}

async function startBatch(
  service: Pick<LdPathService, 'batch'>,
  options: BatchOptions,
  request: HttpRequest,
): Promise<HttpReply> {
  const accept = request.header('accept');
  if (accept !== undefined && !negotiate(accept, candidates)) {
    const error = new AppError('not-acceptable', 'The response is available as lines of JSON only.', {
      available: [NDJSON],
    });
    return problemReply(toErrorData(error), request);
  }
  const began = performance.now();
  const body = await readUtf8(request, options.maxBytes);
  if (!body.ok) return refusal(body.error, request);
  const batch = parseBatch(body.value, options.maxStarts);
  if (!batch.ok) return refusal(batch.error, request);
  const bulk = await service.batch(batch.value, request);
  if (!bulk.ok) return refusal(bulk.error, request);
  request.onAbort(() => bulk.value.cancel());
  const { info, name } = bulk.value;
  const status = `${options.base}/tasks/${info.group}/${encodeURIComponent(name)}`;
  return {
    status: 200,
    headers: [
      ['Content-Type', NDJSON],
      ['Cache-Control', 'no-store'],
      ['X-Accel-Buffering', 'no'],
      ['Link', `<${status}>; rel="status"`],
    ],
    body: stream(bulk.value, began),
  };
}

async function* stream(bulk: Bulk, began: number): BodyStream & AsyncGenerator<Uint8Array> {
  for await (const part of bulk) yield linesOf(part);
  const { answered: count, errors } = bulk;
  const ms = Math.round(performance.now() - began);
  const last = bulk.cancelled
    ? { done: false, cancelled: true, count, errors }
    : { done: true, count, errors, ms };
  yield Buffer.from(`${JSON.stringify(last)}\n`);
}
