import { failure } from '../../../errors.ts';
import type { Batch } from '../../../pool/batch/batch.ts';
import { negotiate } from '../../../rdf/media-types/accept.ts';
import type { LdPathService } from '../../../services/ldpath/ldpath.ts';
import { endpoint } from '../../description/endpoint.ts';
import { withQuery } from '../../parameters.ts';
import type { BodyStream, HandlerResult, HttpRequest } from '../../server/message.ts';
import type { Route } from '../../server/router.ts';
import { linesOf } from './batch-lines.ts';
import { parseBatch } from './batch-request.ts';
import { readUtf8 } from './body-text.ts';
import { startBatchOperation } from './operations.ts';
import type { NamedPrograms } from './selection.ts';

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
export function ldPathBatchRoutes(
  service: Pick<LdPathService, 'batch'>,
  programs: NamedPrograms,
  options: BatchOptions,
): Route[] {
  return [
    {
      path: '/ldpath/batch',
      methods: {
        POST: endpoint(
          withQuery((request) => startBatch(service, programs, options, request)),
          startBatchOperation,
        ),
      },
    },
  ];
}

async function startBatch(
  service: Pick<LdPathService, 'batch'>,
  programs: NamedPrograms,
  options: BatchOptions,
  request: HttpRequest,
): Promise<HandlerResult> {
  const accept = request.header('accept');
  if (accept !== undefined && !negotiate(accept, candidates)) {
    const message = 'The response is available as lines of JSON only.';
    return failure('not-acceptable', message, { available: [NDJSON] });
  }
  const began = performance.now();
  const body = await readUtf8(request, options.maxBytes);
  if (!body.ok) return body;
  const input = parseBatch(body.value, options.maxStarts, programs);
  if (!input.ok) return input;
  const batch = await service.batch(input.value, request);
  if (!batch.ok) return batch;
  request.onAbort(() => batch.value.cancel());
  const { info, name } = batch.value;
  const status = `${options.base}/tasks/${info.group}/${encodeURIComponent(name)}`;
  return {
    status: 200,
    headers: [
      ['Content-Type', NDJSON],
      ['Cache-Control', 'no-store'],
      ['X-Accel-Buffering', 'no'],
      ['Link', `<${status}>; rel="status"`],
    ],
    body: stream(batch.value, began),
  };
}

async function* stream(batch: Batch, began: number): BodyStream & AsyncGenerator<Uint8Array> {
  for await (const part of batch) yield linesOf(part);
  const { delivered: count, errors } = batch;
  const ms = Math.round(performance.now() - began);
  const last = batch.cancelled
    ? { done: false, cancelled: true, count, errors }
    : { done: true, count, errors, ms };
  yield Buffer.from(`${JSON.stringify(last)}\n`);
}
