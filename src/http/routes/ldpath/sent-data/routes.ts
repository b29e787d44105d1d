import type { Result } from '../../../../errors.ts';
import type { SentDataOutput } from '../../../../pool/messages.ts';
import type { LdPathService } from '../../../../services/ldpath/ldpath.ts';
import { endpoint } from '../../../description/endpoint.ts';
import { withQuery } from '../../../parameters.ts';
import type { HandlerResult, HttpRequest } from '../../../server/message.ts';
import type { Route } from '../../../server/router.ts';
import { isMultipart, partsOfForm } from '../../graph-store/multipart.ts';
import { linesOf } from '../batch-lines.ts';
import { readUtf8 } from '../body-text.ts';
import { formatOfMany, inFormat, isLines } from '../result-format.ts';
import { parseFormRequest } from './form-request.ts';
import { type ParsedRequest, parseJsonRequest, type RequestContext } from './json-request.ts';
import { evaluateSentData } from './operations.ts';

type Service = Pick<LdPathService, 'evaluateSent'>;

export interface SentDataOptions extends RequestContext {
  /** Maximum bytes of the decoded body that is JSON, which the main thread reads. */
  readonly maxJson: number;
  /** Maximum bytes of the decoded body that is a form. */
  readonly maxForm: number;
}

/** Routes for evaluations on data that a request contains (http-api 4.13). */
export function sentDataRoutes(service: Service, options: SentDataOptions): Route[] {
  const post = withQuery((request) => evaluate(service, options, request));
  return [{ path: '/ldpath/evaluate', methods: { POST: endpoint(post, evaluateSentData) } }];
}

async function evaluate(
  service: Service,
  options: SentDataOptions,
  request: HttpRequest,
): Promise<HandlerResult> {
  const parsed = await read(request, options);
  if (!parsed.ok) return parsed;
  const { input, separator } = parsed.value;
  const format = formatOfMany(request, parsed.value.format);
  if (!format.ok) return format;
  const selection = inFormat(input.selection, format.value, separator);
  const output = await service.evaluateSent({ ...input, selection }, request);
  if (!output.ok) return output;
  const body = isLines(format.value) ? linesWithLast(output.value) : framed(output.value);
  return { status: 200, headers: format.value.untagged, body };
}

async function read(request: HttpRequest, options: SentDataOptions): Promise<Result<ParsedRequest>> {
  if (isMultipart(request)) {
    const parts = await partsOfForm(request, options.maxForm);
    return parts.ok ? parseFormRequest(parts.value, options) : parts;
  }
  const body = await readUtf8(request, options.maxJson);
  return body.ok ? parseJsonRequest(body.value, options) : body;
}

function linesWithLast(output: SentDataOutput): Uint8Array {
  const { count, errors } = output;
  const last = { done: true, count, errors: errors.length };
  return Buffer.concat([linesOf(output), Buffer.from(`${JSON.stringify(last)}\n`)]);
}

function framed({ bytes, frame }: SentDataOutput): Uint8Array {
  const { head, tail, lead } = frame;
  return Buffer.concat([Buffer.from(head), bytes.subarray(lead), Buffer.from(tail)]);
}
