import { type Condition, conditionHolds } from '../../../base/precondition.ts';
import { type ErrorData, errorData, type Result } from '../../../errors.ts';
import type { RdfPayload } from '../../../services/rdf-payload.ts';
import type { MetaOutcome } from '../../../services/resources/meta.ts';
import { writeCondition } from '../../headers/conditional.ts';
import { rdfBodyTypeOf } from '../../headers/rdf-body.ts';
import { problemReply, refusal } from '../../problem.ts';
import type { HttpReply, HttpRequest } from '../../server/message.ts';
import { preconditionFailed } from '../resources/target.ts';
import type { Meta } from './service.ts';

const textHeader = ['Content-Type', 'text/plain; charset=utf-8'] as const;

/**
 * Handles PUT. `mime`: the type of the body. Errors are checked in the order of
 * http-api 1.10.
 */
export async function replaceDescription(
  meta: Meta,
  maxBytes: number,
  request: HttpRequest,
  uri: string,
  mime: string,
): Promise<HttpReply> {
  const forbidden = meta.writable(uri);
  if (forbidden?.code === 'writes-disabled') return refusal(forbidden, request);
  const type = rdfBodyTypeOf(mime, request, 'rdfjson');
  if (!type.ok) return problemReply(type.error, request);
  const condition = writeCondition(request);
  const failed = condition && (await unmet(meta, request, uri, condition));
  if (failed) return refusal(failed, request);
  const body = await request.readBody(maxBytes);
  if (!body.ok) return refusal(body.error, request);
  if (body.value.length === 0) return problemReply(emptyBody(), request);
  const { format, gzip, charset } = type.value;
  const payload: RdfPayload = {
    body: body.value,
    mediaType: format.mediaType,
    gzip,
    baseIri: uri,
    ...(charset && { charset }),
  };
  const outcome = await meta.replace(uri, payload, condition, request);
  return outcome.ok ? replaced(uri, outcome.value) : refusal(outcome.error, request);
}

/** Handles DELETE. */
export async function removeDescription(meta: Meta, request: HttpRequest, uri: string): Promise<HttpReply> {
  const forbidden = meta.writable(uri);
  if (forbidden?.code === 'writes-disabled') return refusal(forbidden, request);
  if (!meta.hasDescription(uri)) {
    return problemReply(noDescription(uri), request);
  }
  const condition = writeCondition(request);
  const failed = condition && (await unmet(meta, request, uri, condition));
  if (failed) return refusal(failed, request);
  if (forbidden) return refusal(forbidden, request);
  const removed = await meta.remove(uri, condition);
  if (!removed.ok) return refusal(removed.error, request);
  return { status: 200, headers: [textHeader], body: `Removed the description of <${uri}>.\n` };
}

/**
 * Returns the error if a precondition does not hold now. The store checks it again when it executes
 * the write.
 */
async function unmet(
  meta: Meta,
  request: HttpRequest,
  uri: string,
  condition: Condition,
): Promise<ErrorData | undefined> {
  const resource = { kind: 'uri', uri } as const;
  const exists = meta.view(resource) !== undefined;
  const found: Result<{ state: string; modified: number } | undefined> = exists
    ? await meta.info(resource, request)
    : { ok: true, value: undefined };
  if (!found.ok) return found.error;
  return conditionHolds(condition, found.value) ? undefined : preconditionFailed(resource);
}

function replaced(uri: string, { created, added, removed, ignored }: MetaOutcome): HttpReply {
  const body = JSON.stringify({ uri, added, removed, ignored });
  return { status: created ? 201 : 200, headers: [['Content-Type', 'application/json']], body };
}

function noDescription(uri: string): ErrorData {
  return errorData('resource-not-found', `<${uri}> has no description.`, { uri });
}

function emptyBody(): ErrorData {
  return errorData('empty-body', 'The body is empty.');
}
