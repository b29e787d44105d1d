import { visiblePatterns } from '../../../base/graph-access.ts';
import { AppError } from '../../../errors.ts';
import type { Frame } from '../../../ldpath/shapes/result-shape.ts';
import type { Batch } from '../../../pool/batch/batch.ts';
import type { LdPathService } from '../../../services/ldpath/ldpath.ts';
import { nameAt } from '../../../services/tasks/process-tasks.ts';
import { endpoint } from '../../description/endpoint.ts';
import { withQuery } from '../../parameters.ts';
import type { BodyStream, HandlerResult, HttpRequest } from '../../server/message.ts';
import type { Route } from '../../server/router.ts';
import { linesOf } from './batch-lines.ts';
import { parseBatch } from './batch-request.ts';
import { readUtf8 } from './body-text.ts';
import { startBatchOperation } from './operations.ts';
import { formatOfMany, inFormat, isLines } from './result-format.ts';
import type { NamedPrograms } from './selection.ts';
import { SetCursors } from './sets/cursor.ts';
import { CursorSeal, sealKey } from './sets/cursor-seal.ts';
import { SetLines } from './sets/extra-lines.ts';

export interface BatchOptions {
  /** The base URL, without a trailing slash. */
  readonly base: string;
  /** Maximum bytes of the decoded body. */
  readonly maxBytes: number;
  readonly maxStarts: number;
  /** See `SetCursors`. */
  readonly run: string;
  /** The name of this process of a cluster. */
  readonly process?: string | undefined;
}

type Service = Pick<LdPathService, 'batch' | 'commit' | 'frame'>;

/**
 * Routes for the evaluation of one program for many start resources. The response is a stream of
 * lines (http-api 4.8).
 */
export function ldPathBatchRoutes(service: Service, programs: NamedPrograms, options: BatchOptions): Route[] {
  const withKey = { ...options, key: sealKey() };
  return [
    {
      path: '/ldpath/batch',
      methods: {
        POST: endpoint(
          withQuery((request) => startBatch(service, programs, withKey, request)),
          startBatchOperation,
        ),
      },
    },
  ];
}

async function startBatch(
  service: Service,
  programs: NamedPrograms,
  options: BatchOptions & { readonly key: Buffer },
  request: HttpRequest,
): Promise<HandlerResult> {
  const began = performance.now();
  const body = await readUtf8(request, options.maxBytes);
  if (!body.ok) return body;
  const cursors = cursorsFor(request, options);
  const parsed = parseBatch(body.value, { ...options, cursors, programs });
  if (!parsed.ok) return parsed;
  const { format: given, separator, commit = service.commit, ...wanted } = parsed.value;
  const format = formatOfMany(request, given);
  if (!format.ok) return format;
  const selection = inFormat(wanted.selection, format.value, separator);
  const frame = isLines(format.value) ? noFrame : await service.frame(selection, request);
  if (!frame.ok) return frame;
  const batch = await service.batch({ ...wanted, selection }, request);
  if (!batch.ok) return batch;
  request.onAbort(() => batch.value.cancel());
  const { info, name, set } = batch.value;
  const lines = set ? new SetLines(commit, cursors, wanted.ordered) : null;
  const task = options.process === undefined ? name : nameAt(name, options.process);
  const status = `${options.base}/tasks/${info.group}/${encodeURIComponent(task)}`;
  return {
    status: 200,
    headers: [
      ['Content-Type', format.value.contentType],
      ['Cache-Control', 'no-store'],
      ['X-Accel-Buffering', 'no'],
      ['Link', `<${status}>; rel="status"`],
    ],
    body: frame.value ? documents(batch.value, frame.value) : stream(batch.value, began, lines),
  };
}

function cursorsFor(request: HttpRequest, { run, key }: { run: string; key: Buffer }): SetCursors {
  const visible = visiblePatterns(request);
  return new SetCursors(run, visible && new CursorSeal(key, visible.key));
}

const noFrame = { ok: true, value: undefined } as const;

async function* documents(batch: Batch, frame: Frame): BodyStream & AsyncGenerator<Uint8Array> {
  yield Buffer.from(frame.head);
  let lead = frame.lead;
  for await (const { bytes } of batch) {
    if (bytes.length === 0) continue;
    yield lead === 0 ? bytes : bytes.subarray(lead);
    lead = 0;
  }
  // The client must not take a part for the whole, and these formats have no place for a remark.
  if (batch.cancelled) throw new AppError('cancelled', 'The batch was cancelled.');
  yield Buffer.from(frame.tail);
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
