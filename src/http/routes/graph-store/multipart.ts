import { failure, type Result } from '../../../errors.ts';
import {
  formatByMediaType,
  formats,
  parseContentType,
  readableTypes,
} from '../../../rdf/media-types/media-types.ts';
import type { RdfPayload } from '../../../services/rdf-payload.ts';
import { hasCharset } from '../../headers/rdf-body.ts';
import { parseCharset } from '../../server/body-coding.ts';
import type { HttpRequest } from '../../server/message.ts';
import type { DocumentsOf } from '../contexts/write.ts';
import { readBytes } from '../ldpath/body-text.ts';

export const MULTIPART = 'multipart/form-data';
/** Maximum number of documents in a body. */
const MAX_PARTS = 100;
/** Maximum bytes of a part's head. */
const MAX_HEAD = 16 * 1024;

/** A part of a form. */
export interface Part {
  readonly name: string;
  readonly fileName: string | undefined;
  readonly mediaType: string;
  /** The label of its charset. */
  readonly charset: string | undefined;
  readonly bytes: Uint8Array;
}

/** Whether the body is a form with files. */
export function isMultipart(request: HttpRequest): boolean {
  return parseContentType(request.header('content-type'))?.mediaType === MULTIPART;
}

/**
 * Reads each part of a form as a document. Errors: `parse-error`, `too-large`,
 * `unsupported-media-type`.
 */
export const documentsOfForm: DocumentsOf = (request) => ({
  ok: true,
  value: async (baseIri, maxBytes) => {
    const parts = await partsOfForm(request, maxBytes);
    return parts.ok ? payloadsOf(parts.value, baseIri) : parts;
  },
});

/** Reads the parts of a form in order. Errors: `parse-error`, `too-large`, `overloaded`. */
export async function partsOfForm(request: HttpRequest, maxBytes: number): Promise<Result<Part[]>> {
  const body = await readBytes(request, maxBytes);
  if (!body.ok) return body;
  const contentType = request.header('content-type')!;
  const heads = headsOf(contentType, body.value);
  if (heads.some((head) => head.length > MAX_HEAD)) {
    return unreadable(`the head of a part has more than ${MAX_HEAD} bytes`);
  }
  return readParts(contentType, body.value, heads);
}

function unreadable(why: string): Result<never> {
  return failure('parse-error', `The form can't be read: ${why}.`, { source: 'body' });
}

/** Returns the heads of all parts, including those that Busboy skips silently. */
function headsOf(contentType: string, body: Uint8Array): string[] {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]*)"|([^;\s]*))/i.exec(contentType) ?? [];
  const delimiter = `--${quoted ?? plain}`;
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length);
  const heads: string[] = [];
  let at = bytes.subarray(0, delimiter.length).equals(Buffer.from(delimiter))
    ? 0
    : nextDelimiter(bytes, delimiter, 0);
  while (at !== -1 && heads.length <= MAX_PARTS) {
    const begin = at + delimiter.length;
    if (bytes.toString('latin1', begin, begin + 2) === '--') break;
    const end = bytes.indexOf('\r\n\r\n', begin);
    heads.push(bytes.toString('latin1', begin, end === -1 ? bytes.length : end));
    at = nextDelimiter(bytes, delimiter, begin);
  }
  return heads;
}

function nextDelimiter(bytes: Buffer, delimiter: string, from: number): number {
  const at = bytes.indexOf(`\r\n${delimiter}`, from);
  return at === -1 ? -1 : at + 2;
}

/**
 * Reads the parts of a form. They are few, and all of their bytes are in memory. `heads`: those of
 * the parts that the form must have. Busboy does not report the charset of a file.
 */
async function readParts(
  contentType: string,
  body: Uint8Array,
  heads: readonly string[],
): Promise<Result<Part[]>> {
  const charsets = heads.map(charsetIn);
  const { Busboy } = await import('@fastify/busboy');
  return new Promise((resolve) => {
    const parts: Part[] = [];
    const fail = (error: Error) => resolve(unreadable(error.message));
    const finish = () => {
      const why = "each part needs 'Content-Disposition: form-data' with a name";
      resolve(parts.length === heads.length ? { ok: true, value: parts } : unreadable(why));
    };
    try {
      const form = new Busboy({
        headers: { 'content-type': contentType },
        isPartAFile: () => true,
        limits: { files: MAX_PARTS, headerPairs: MAX_HEAD },
      });
      form.on('file', (name, stream, ...[fileName, , mediaType]) => {
        const chunks: Buffer[] = [];
        const charset = charsets.shift();
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('error', fail);
        stream.on('end', () =>
          parts.push({ name, fileName, mediaType, charset, bytes: Buffer.concat(chunks) }),
        );
      });
      form.on('filesLimit', () =>
        resolve(failure('too-large', `A form must not contain more than ${MAX_PARTS} documents.`)),
      );
      form.on('error', (error) => fail(error as Error));
      form.on('finish', finish);
      form.end(body);
    } catch (error) {
      fail(error as Error);
    }
  });
}

/** A field may go on in lines that begin with white space. */
function charsetIn(head: string): string | undefined {
  const [, value] = /^content-type:((?:.|\r\n[ \t])*)/im.exec(head) ?? [];
  return parseContentType(value?.replace(/\r\n[ \t]/g, ' '))?.charset;
}

function payloadsOf(parts: readonly Part[], baseIri: string): Result<RdfPayload[]> {
  const payloads: RdfPayload[] = [];
  for (const part of parts) {
    const payload = payloadOf(part, baseIri);
    if (!payload.ok) return payload;
    payloads.push(payload.value);
  }
  return { ok: true, value: payloads };
}

/** Returns a part as an RDF document. Error `unsupported-media-type`. */
export function payloadOf(part: Part, baseIri: string): Result<RdfPayload> {
  const mediaType = mediaTypeOf(part);
  if (mediaType === undefined) {
    const message = `Neither the type nor the file name of the part '${part.name}' denotes a supported RDF format.`;
    return failure('unsupported-media-type', message, { available: readableTypes });
  }
  const charset = parseCharset(hasCharset(mediaType) ? part.charset : undefined);
  if (!charset.ok) return charset;
  const payload = { body: part.bytes, mediaType, gzip: false, baseIri };
  return { ok: true, value: { ...payload, ...(charset.value && { charset: charset.value }) } };
}

/** Types that clients send for a file whose type they do not know. */
const unknownTypes: ReadonlySet<string> = new Set(['application/octet-stream', 'text/plain']);

function mediaTypeOf({ mediaType, fileName }: Part): string | undefined {
  const named = formatByMediaType(mediaType, 'rdfjson', 'input')?.mediaType;
  if (named !== undefined && !unknownTypes.has(mediaType)) return named;
  const extension = fileName?.split('.').at(-1)?.toLowerCase();
  return formats.find((format) => format.extension === extension)?.mediaType ?? named;
}
