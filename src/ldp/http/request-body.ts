import { type Failure, failure, type Result } from '../../errors.ts';
import { rdfBodyTypeOf } from '../../http/headers/rdf-body.ts';
import { contentTypeToStore, unreadableContent } from '../../http/routes/content/write.ts';
import { parseCharset, parseContentCoding } from '../../http/server/body-coding.ts';
import type { HttpRequest } from '../../http/server/message.ts';
import { formatByMediaType, parseContentType, readableTypes } from '../../rdf/media-types/media-types.ts';
import type { RequestedInteractionModel } from '../main/interaction-model.ts';
import type { LdpDocument, LdpPayload } from '../main/request-payload.ts';
import { patchTypes } from './headers.ts';
import type { LdpOptions } from './service.ts';

const OCTETS = 'application/octet-stream';

/**
 * Returns how to store the body of a POST or PUT, by its type and the interaction model in the
 * links (http-api L-33, L-34, L-64). `stored`: the media type of the existing binary that it
 * replaces, if there is one. Errors: `unsupported-media-type`, `unsupported-coding`.
 */
export function payloadOf(
  request: HttpRequest,
  requested: RequestedInteractionModel | null,
  stored: string | undefined,
  { maxDocument, maxContent }: LdpOptions,
): Result<LdpPayload> {
  const header = request.header('content-type');
  const read = () => request.readBody(maxDocument);
  if (header === undefined && !hasBody(request) && requested !== 'binary') {
    return { ok: true, value: { kind: 'document', mediaType: 'text/turtle', gzip: false, read } };
  }
  const mime = header === undefined ? OCTETS : parseContentType(header)?.mediaType;
  if (mime === undefined) return unsupported(`'${header}' is not a media type.`);
  if (requested !== 'binary' && mime !== stored && isRdf(mime)) {
    const type = rdfBodyTypeOf(mime, request, 'jsonld');
    if (!type.ok) return type;
    const { format, ...coding } = type.value;
    return { ok: true, value: { kind: 'document', mediaType: format.mediaType, ...coding, read } };
  }
  const unreadable = unreadableContent(request);
  if (unreadable) return unreadable;
  const contentType = contentTypeToStore(request, mime);
  return { ok: true, value: { kind: 'bytes', contentType, open: () => request.streamBody(maxContent) } };
}

/** Returns the error if a body does not fit the requested interaction model (http-api L-34). */
export function unfitType(
  payload: LdpPayload,
  requested: RequestedInteractionModel | null,
): Failure | undefined {
  const fits = payload.kind === 'document' || requested === null || requested === 'resource';
  if (fits || requested === 'binary') return undefined;
  return unsupported(
    `An RDF source must be sent as RDF, but '${payload.contentType}' is not an RDF media type.`,
  );
}

/** Returns the document of a PATCH. Errors: `unsupported-media-type`, `unsupported-coding`. */
export function patchOf(request: HttpRequest, { maxPatch }: LdpOptions): Result<LdpDocument> {
  const header = request.header('content-type');
  const type = parseContentType(header);
  if (!type || !patchTypes.includes(type.mediaType)) {
    const message = `A patch must have the type ${patchTypes.join(' or ')}.`;
    return failure('unsupported-media-type', message, { available: patchTypes });
  }
  const charset = parseCharset(type.charset);
  if (!charset.ok) return charset;
  const coding = parseContentCoding(request.header('content-encoding'));
  if (!coding.ok) return coding;
  const read = () => request.readBody(maxPatch);
  const gzip = coding.value === 'gzip';
  const { mediaType } = type;
  const value = { kind: 'document', mediaType, gzip, ...(charset.value && { charset: charset.value }), read };
  return { ok: true, value: value as LdpDocument };
}

/** Whether the type is RDF. `text/plain` is an alias of N-Triples only outside LDP. */
function isRdf(mime: string): boolean {
  return mime !== 'text/plain' && formatByMediaType(mime, 'jsonld', 'input') !== undefined;
}

function hasBody(request: HttpRequest): boolean {
  return (
    request.header('transfer-encoding') !== undefined || Number(request.header('content-length') ?? 0) > 0
  );
}

function unsupported(message: string): Failure {
  return failure('unsupported-media-type', message, { available: readableTypes });
}
