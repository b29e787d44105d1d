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
import { SetLines } from './set-lines.ts';

export interface BatchOptions {
  /** The base URL, without a trailing slash. */
  readonly base: string;
  /** Maximum bytes of the decoded body. */
  readonly maxBytes: number;
  readonly maxStarts: number;
  /** See `readCursor`. */
  readonly run: string;
}

const NDJSON = 'application/x-ndjson';
const candidates = [{ type: NDJSON }, { type: 'application/json' }];

/**
 * Routes for the evaluation of one program for many start resources. The response is a stream of
 * lines (http-api 4.8).
 */
export function ldPathBatchRoutes(
  service: Pick<LdPathService, 'batch' | 'commit'>,
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
  service: Pick<LdPathService, 'batch' | 'commit'>,
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
  const input = parseBatch(body.value, { ...options, programs });
  if (!input.ok) return input;
  const { commit = service.commit, ...wanted } = input.value;
  const batch = await service.batch(wanted, request);
  if (!batch.ok) return batch;
  request.onAbort(() => batch.value.cancel());
  const { info, name, set } = batch.value;
  const lines = set ? new SetLines(commit, options.run, wanted.ordered) : null;
  const status = `${options.base}/tasks/${info.group}/${encodeURIComponent(name)}`;
  return {
    status: 200,
    headers: [
      ['Content-Type', NDJSON],
      ['Cache-Control', 'no-store'],
      ['X-Accel-Buffering', 'no'],
      ['Link', `<${status}>; rel="status"`],
    ],
    body: stream(batch.value, began, lines),
  };
}

/** `lines`: those that only the response of a set has. */
async function* stream(
  batch: Batch,
  began: number,
  lines: SetLines | null,
): BodyStream & AsyncGenerator<Uint8Array> {
  if (lines) yield lineOf(lines.first(batch));
  for await (const part of batch) {
    yield linesOf(part);
    const cursor = lines?.after(part, batch.delivered - batch.omitted);
    if (cursor) yield lineOf(cursor);
  }
  const { delivered, omitted, errors } = batch;
  const count = delivered - omitted;
  const ms = Math.round(performance.now() - began);
  const last = batch.cancelled
    ? { done: false, cancelled: true, count, errors }
    : { done: true, count, errors, ms };
  yield lineOf({ ...last, ...lines?.last(batch) });
}

function lineOf(value: object): Uint8Array {
  return Buffer.from(`${JSON.stringify(value)}\n`);
}
