import type { QuadBlock } from '../../model/quad-block.ts';
import { parseJsonLd } from '../../oxigraph/parse.ts';
import { RdfError } from '../errors.ts';
import { checkJsonDepth } from '../json-depth.ts';
import type { ParseControl } from '../parse-progress.ts';
import { byteOfPosition, positionOfByte } from '../position.ts';
import { withoutInnerDots } from '../resolve-iri.ts';
import { type InlinedDocument, inlineContexts } from './inline-contexts.ts';
import { withPlainBases } from './plain-bases.ts';
import { checkJsonLd } from './precheck.ts';
import { noContexts, type PreloadedContexts } from './preloaded-contexts.ts';

export interface JsonLdDocumentOptions extends ParseControl {
  readonly baseIri: string;
  /** Contexts that the document may name by their IRIs. */
  readonly contexts?: PreloadedContexts;
}

/** Reads a JSON-LD document from UTF-8. Throws `RdfError`. */
export function parseJsonLdDocument(document: Uint8Array, options: JsonLdDocumentOptions): QuadBlock {
  const { baseIri, contexts = noContexts, brief } = options;
  checkJsonDepth(document);
  const inlined = inlineContexts(document, { contexts, baseIri, brief });
  try {
    return parseInlined(inlined, options, document.length);
  } catch (error) {
    throw error instanceof RdfError ? relocated(error, document, inlined) : error;
  }
}

function parseInlined(
  { text, literals, failure }: InlinedDocument,
  options: JsonLdDocumentOptions,
  documentBytes: number,
): QuadBlock {
  const { baseIri, brief, onProgress } = options;
  const { bytes } = text;
  if (bytes.length > documentBytes) checkJsonDepth(bytes);
  checkJsonLd(bytes, { baseIri, brief, documentBytes });
  return parseJsonLd(withPlainBases(bytes, literals), {
    ...options,
    baseIri: withoutInnerDots(baseIri),
    ...(onProgress && { onProgress: (bytesDone: number) => onProgress(text.originalOffset(bytesDone)) }),
    remoteContext: failure,
  });
}

/** Returns an error with its position in the document as it was sent. */
function relocated(error: RdfError, document: Uint8Array, { text, failure }: InlinedDocument): RdfError {
  const { line, column } = error.details;
  if (text.bytes === document || error === failure || line === undefined || column === undefined)
    return error;
  const offset = text.originalOffset(byteOfPosition(text.bytes, { line, column }));
  return new RdfError(error.code, error.message, { ...error.details, ...positionOfByte(document, offset) });
}
