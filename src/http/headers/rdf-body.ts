import { type ErrorData, errorData, type Result } from '../../errors.ts';
import {
  formatByMediaType,
  type JsonMeaning,
  parseContentType,
  type RdfFormat,
  readableTypes,
} from '../../rdf/media-types/media-types.ts';
import { parseCharset, parseContentCoding } from '../server/body-coding.ts';
import type { HttpRequest } from '../server/message.ts';

/** The properties of an RDF body that the request's head states. */
export interface RdfBodyType {
  readonly format: RdfFormat;
  /** WHATWG label; absent for UTF-8. */
  readonly charset?: string;
  readonly gzip: boolean;
}

/**
 * Reads them from the head; errors `unsupported-media-type`, `unsupported-coding` (G-61, G-62,
 * G-104).
 */
export function rdfBodyType(request: HttpRequest, jsonMeans: JsonMeaning): Result<RdfBodyType> {
  const header = request.header('content-type');
  const mediaType = parseContentType(header)?.mediaType;
  if (mediaType === undefined) return { ok: false, error: unsupported(header) };
  return rdfBodyTypeOf(mediaType, request, jsonMeans);
}

/**
 * Like `rdfBodyType`, with a media type from another source. The head may still name the charset of
 * that type.
 */
export function rdfBodyTypeOf(
  mediaType: string,
  request: HttpRequest,
  jsonMeans: JsonMeaning,
): Result<RdfBodyType> {
  const format = formatByMediaType(mediaType, jsonMeans, 'input');
  if (!format) return { ok: false, error: unsupported(mediaType) };
  const contentType = parseContentType(request.header('content-type'));
  const named = contentType?.mediaType === mediaType ? contentType.charset : undefined;
  const charset = parseCharset(hasCharset(format.mediaType) ? named : undefined);
  if (!charset.ok) {
    return { ok: false, error: { ...charset.error, details: { available: readableTypes } } };
  }
  const coding = parseContentCoding(request.header('content-encoding'));
  if (!coding.ok) return coding;
  const gzip = coding.value === 'gzip';
  return { ok: true, value: { format, gzip, ...(charset.value && { charset: charset.value }) } };
}

/** Whether a format may have a charset. All other formats are always UTF-8 (G-61). */
export function hasCharset(mediaType: string): boolean {
  return mediaType.startsWith('text/') || mediaType === 'application/rdf+xml';
}

function unsupported(header: string | undefined): ErrorData {
  const message =
    header === undefined ? 'Content-Type is missing.' : `'${header}' is not a supported RDF media type.`;
  return errorData('unsupported-media-type', message, { available: readableTypes });
}
