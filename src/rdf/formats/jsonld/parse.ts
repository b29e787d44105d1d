import type { QuadBlock } from '../../model/quad-block.ts';
import { parseJsonLd } from '../../oxigraph/parse.ts';
import { RdfError } from '../errors.ts';
import { checkJsonDepth } from '../json-depth.ts';
import type { ParseControl } from '../parse-progress.ts';
import { byteOfPosition, positionOfByte } from '../position.ts';
import { BasePlaceholders } from './base-placeholders.ts';
import { contextPrefixes } from './context-prefixes.ts';
import { EditedText } from './edited-text.ts';
import { type InlinedDocument, inlineContexts } from './inline-contexts.ts';
import { LargeNumbers } from './large-numbers.ts';
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
  const documentBytes = document.length;
  const read = () => parseInlined(text, { ...options, failure, remoteContext, documentBytes });
  const block = withPositionsIn({ original: document, text, failure }, read);
  return { ...block, ...contextPrefixes(document).ofBlock };
}

function asSent(document: Uint8Array): InlinedDocument {
  return { text: new EditedText(document, []), failure: undefined };
}

interface InlinedOptions extends JsonLdDocumentOptions {
  readonly failure: RdfError | undefined;
  readonly remoteContext: () => RdfError | undefined;
  readonly documentBytes: number;
}

function parseInlined(text: EditedText, options: InlinedOptions): QuadBlock {
  const { baseIri, brief, onProgress, documentBytes, failure } = options;
  const { bytes } = text;
  if (bytes.length > documentBytes) checkJsonDepth(bytes);
  checkJsonLd(bytes, { baseIri, brief, documentBytes });
  const numbers = new LargeNumbers(bytes);
  const placeholders = new BasePlaceholders();
  const plain = withPlainBases(numbers.text.bytes, placeholders);
  const placeOf = (offset: number) =>
    text.originalOffset(numbers.text.originalOffset(plain.originalOffset(offset)));
  const read = () =>
    parseJsonLd(plain.bytes, {
      ...options,
      baseIri: placeholders.plain(baseIri),
      restored: (line) => numbers.restored(placeholders.restored(line)),
      ...(onProgress && { onProgress: (bytesDone) => onProgress(placeOf(bytesDone)) }),
    });
  const readPlain = () => withPositionsIn({ original: numbers.text.bytes, text: plain, failure }, read);
  return withPositionsIn({ original: bytes, text: numbers.text, failure }, readPlain);
}

interface Edited {
  readonly original: Uint8Array;
  readonly text: EditedText;
  /**
   * An error that has its position in the document as it was sent, like any for a remote context.
   */
  readonly failure: RdfError | undefined;
}

/** Errors in an edited text get their positions in the original. */
function withPositionsIn<T>(edited: Edited, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const isLocated =
      error === edited.failure || (error instanceof RdfError && error.code === 'remote-context');
    if (!(error instanceof RdfError) || isLocated) throw error;
    throw relocated(error, edited);
  }
}

/** Returns an error with its position in the original of a text. */
function relocated(error: RdfError, { original, text }: Edited): RdfError {
  const { line, column } = error.details;
  if (text.bytes === original || line === undefined || column === undefined) return error;
  const offset = text.originalOffset(byteOfPosition(text.bytes, { line, column }));
  return new RdfError(error.code, error.message, { ...error.details, ...positionOfByte(original, offset) });
}
