import { failure, type Result } from '../../../errors.ts';
import { parseContentType } from '../../../rdf/media-types/media-types.ts';
import { parseForm, type Query } from '../../query.ts';
import type { HttpRequest } from '../../server/message.ts';
import { readText } from '../ldpath/body-text.ts';
import type { SparqlOptions } from './services.ts';

/** The operation that a request asks for (SPARQL 1.1 Protocol). */
export interface SparqlOperation {
  readonly kind: 'query' | 'update';
  readonly text: string;
  /** All parameters, of the URL and of a form. */
  readonly parameters: Query;
}

/** The operations that an endpoint supports. */
export type OperationKinds = readonly SparqlOperation['kind'][];

export interface SparqlEndpoint {
  readonly path: string;
  readonly kinds: OperationKinds;
}

/** Longer forms would occupy the main thread for more than a tenth of a second. */
const MAX_FORM = 8 * 1024 * 1024;

export const FORM = 'application/x-www-form-urlencoded';
export const typeOf = { query: 'application/sparql-query', update: 'application/sparql-update' } as const;

/** Returns the operation of a GET, or undefined if it has no query. Errors `bad-query`. */
export function operationOfUrl(parameters: Query): Result<SparqlOperation | undefined> {
  if (parameters.has('update')) return failure('bad-query', 'An update must be sent with POST.');
  if (!parameters.has('query')) return { ok: true, value: undefined };
  return operationIn(parameters, parameters, ['query']);
}

/**
 * Returns the operation of a POST. Errors: `bad-query`, `missing-parameter`,
 * `unsupported-media-type`, those of reading a body.
 */
export async function operationOfBody(
  request: HttpRequest,
  url: Query,
  kinds: OperationKinds,
  options: SparqlOptions,
): Promise<Result<SparqlOperation>> {
  const type = bodyType(request, kinds);
  if (!type.ok) return type;
  if (url.has('query') || url.has('update')) {
    const message = "The parameters 'query' and 'update' of a POST belong in its body, not in the URL.";
    return failure('bad-query', message);
  }
  const kind = kinds.find((each) => typeOf[each] === type.value);
  const body = await readText(
    request,
    kind ? maxBody(kind, options) : await maxForm(request, kinds, options),
  );
  if (!body.ok) return body;
  if (kind) return { ok: true, value: { kind, text: body.value, parameters: url } };
  const form = parseForm(body.value);
  if (!form.ok) return form;
  const operation = operationIn(form.value, url.concat(form.value), kinds);
  return operation.ok ? withinLimit(operation.value, options.maxQuery) : operation;
}

function maxBody(kind: SparqlOperation['kind'], { maxQuery, maxUpdate }: SparqlOptions): number {
  return kind === 'query' ? maxQuery : maxUpdate;
}

/**
 * Returns the limit for a form, in which each byte may be encoded with three. Only a client that
 * may update may send more than the limit for a query.
 */
async function maxForm(request: HttpRequest, kinds: OperationKinds, options: SparqlOptions): Promise<number> {
  const ofQuery = Math.min(MAX_FORM, 3 * options.maxQuery);
  if (!kinds.includes('update') || isWithin(request, ofQuery)) return ofQuery;
  const forbidden = await request.checkWrite();
  return forbidden ? ofQuery : Math.min(MAX_FORM, 3 * options.maxUpdate);
}

/** Whether the head states that the body has at most this many bytes. */
function isWithin(request: HttpRequest, maxBytes: number): boolean {
  const length = request.header('content-length');
  const isCompressed = request.header('content-encoding') !== undefined;
  return length !== undefined && !isCompressed && Number(length) <= maxBytes;
}

/** Returns the media type of a body if this endpoint supports it. SPARQL is always UTF-8. */
function bodyType(request: HttpRequest, kinds: OperationKinds): Result<string> {
  const header = request.header('content-type');
  const type = parseContentType(header);
  const available = [FORM, ...kinds.map((kind) => typeOf[kind])];
  if (type === undefined || !available.includes(type.mediaType)) {
    const what = header === undefined ? 'Content-Type is missing' : `'${header}' is not supported here`;
    return failure('unsupported-media-type', `${what}.`, { available });
  }
  if (type.charset !== undefined && !/^utf-?8$/i.test(type.charset)) {
    return failure('bad-query', `SPARQL must be sent as UTF-8, not as '${type.charset}'.`);
  }
  return { ok: true, value: type.mediaType };
}

function operationIn(form: Query, parameters: Query, kinds: OperationKinds): Result<SparqlOperation> {
  const given = (['query', 'update'] as const).filter((kind) => form.has(kind));
  const [kind, other] = given;
  const names = kinds.map((each) => `'${each}'`).join(' or ');
  if (kind === undefined) return failure('missing-parameter', `The parameter ${names} is missing.`);
  if (other !== undefined)
    return failure('bad-query', 'A request must not contain both a query and an update.');
  if (!kinds.includes(kind)) return failure('bad-query', `This endpoint supports only ${names}.`);
  const [text = '', ...more] = form.values(kind);
  if (more.length > 0) return failure('bad-query', `The parameter '${kind}' is given several times.`);
  return { ok: true, value: { kind, text, parameters } };
}

function withinLimit(operation: SparqlOperation, maxQuery: number): Result<SparqlOperation> {
  const { kind, text } = operation;
  if (kind === 'update' || Buffer.byteLength(text) <= maxQuery) return { ok: true, value: operation };
  return failure('too-large', `A query must not exceed ${maxQuery} bytes.`);
}
