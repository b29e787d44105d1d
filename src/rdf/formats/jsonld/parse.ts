import type { QuadBlock } from '../../model/quad-block.ts';
import { parseJsonLd } from '../../oxigraph/parse.ts';
import { RdfError } from '../errors.ts';
import { checkJsonDepth } from '../json-depth.ts';
import type { ParseControl } from '../parse-progress.ts';
import { byteOfPosition, positionOfByte } from '../position.ts';
import { withoutInnerDots } from '../resolve-iri.ts';
import { contextPrefixes } from './context-prefixes.ts';
import { EditedText } from './edited-text.ts';
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
  const { contexts = noContexts } = options;
  checkJsonDepth(document);
  const inline = () => inlineContexts(document, { ...options, contexts });
  const { text, failure } = contexts.isEmpty ? asSent(document) : inline();
  const remoteContext = () => failure ?? inline().failure;
  try {
    const block = parseInlined(text, { ...options, remoteContext, documentBytes: document.length });
    return { ...block, ...contextPrefixes(document).ofBlock };
  } catch (error) {
    const isLocated = error === failure || (error instanceof RdfError && error.code === 'remote-context');
    if (!(error instanceof RdfError) || isLocated) throw error;
    throw relocated(error, document, text);
  }
}

function asSent(document: Uint8Array): InlinedDocument {
  return { text: new EditedText(document, []), failure: undefined };
}

interface InlinedOptions extends JsonLdDocumentOptions {
  readonly remoteContext: () => RdfError | undefined;
  readonly documentBytes: number;
}

function parseInlined(text: EditedText, options: InlinedOptions): QuadBlock {
  const { baseIri, brief, onProgress, documentBytes } = options;
  const { bytes } = text;
  if (bytes.length > documentBytes) checkJsonDepth(bytes);
  checkJsonLd(bytes, { baseIri, brief, documentBytes });
  return parseJsonLd(withPlainBases(bytes), {
    ...options,
    baseIri: withoutInnerDots(baseIri),
    ...(onProgress && { onProgress: (bytesDone: number) => onProgress(text.originalOffset(bytesDone)) }),
  });
}

/** Returns an error with its position in the document as it was sent. */
function relocated(error: RdfError, document: Uint8Array, text: EditedText): RdfError {
  const { line, column } = error.details;
  if (text.bytes === document || line === undefined || column === undefined) return error;
  const offset = text.originalOffset(byteOfPosition(text.bytes, { line, column }));
  return new RdfError(error.code, error.message, { ...error.details, ...positionOfByte(document, offset) });
}
