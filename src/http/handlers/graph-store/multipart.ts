import { failure, type Result } from '../../../errors.ts';
import { formatByMediaType, formats, parseContentType, readableTypes } from '../../../rdf/media-types.ts';
import type { RdfPayload } from '../../../services/payload.ts';
import type { HttpRequest } from '../../message.ts';
import type { DocumentsOf } from '../context-write.ts';
import { readUtf8 } from '../ldpath-body.ts';

export const MULTIPART = 'multipart/form-data';
/** Documents that a body may hold. */
const MAX_PARTS = 100;

interface Part {
  readonly name: string;
  readonly fileName: string | undefined;
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

/** Whether the body is a form with files. */
export function isMultipart(request: HttpRequest): boolean {
  return parseContentType(request.header('content-type'))?.mediaType === MULTIPART;
}

/**
 * Each part of a form is a document, in UTF-8. Errors: `parse-error`, `too-large`,
 * `unsupported-media-type`.
 */
export const documentsOfForm: DocumentsOf = (request) => ({
  ok: true,
  value: async (baseIri, maxBytes) => {
    const body = await readUtf8(request, maxBytes);
    if (!body.ok) return body;
    const parts = await readParts(request.header('content-type')!, body.value);
    return parts.ok ? payloadsOf(parts.value, baseIri) : parts;
  },
});

/** The parts of the form are small in number, and all of their bytes are in memory. */
async function readParts(contentType: string, body: Uint8Array): Promise<Result<Part[]>> {
  const { Busboy } = await import('@fastify/busboy');
  return new Promise((resolve) => {
    const parts: Part[] = [];
    const fail = (error: Error) =>
      resolve(failure('parse-error', `The form can't be read: ${error.message}.`, { source: 'body' }));
    try {
      const form = new Busboy({
        headers: { 'content-type': contentType },
        isPartAFile: () => true,
        limits: { files: MAX_PARTS, headerPairs: 100 },
      });
      form.on('file', (name, stream, fileName, _encoding, mediaType) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('error', fail);
        stream.on('end', () => parts.push({ name, fileName, mediaType, bytes: Buffer.concat(chunks) }));
      });
      form.on('filesLimit', () =>
        resolve(failure('too-large', `A form may hold ${MAX_PARTS} documents at most.`)),
      );
      form.on('error', (error) => fail(error as Error));
      form.on('finish', () => resolve({ ok: true, value: parts }));
      form.end(body);
    } catch (error) {
      fail(error as Error);
    }
  });
}

function payloadsOf(parts: readonly Part[], baseIri: string): Result<RdfPayload[]> {
  const payloads: RdfPayload[] = [];
  for (const part of parts) {
    const mediaType = mediaTypeOf(part);
    if (mediaType === undefined) {
      const message = `The part '${part.name}' has no RDF type that can be read, nor has the name of its file.`;
      return failure('unsupported-media-type', message, { available: readableTypes });
    }
    payloads.push({ body: part.bytes, mediaType, gzip: false, baseIri });
  }
  return { ok: true, value: payloads };
}

/** What clients say of a file whose type they do not know. */
const unknownTypes: ReadonlySet<string> = new Set(['application/octet-stream', 'text/plain']);

function mediaTypeOf({ mediaType, fileName }: Part): string | undefined {
  const named = formatByMediaType(mediaType, 'rdfjson', 'input')?.mediaType;
  if (named !== undefined && !unknownTypes.has(mediaType)) return named;
  const extension = fileName?.split('.').at(-1)?.toLowerCase();
  return formats.find((format) => format.extension === extension)?.mediaType ?? named;
}
