import { depthOf } from '../../../base/json/bytes.ts';
import { RdfError } from '../errors.ts';
import { positionOfByte } from '../position.ts';
import { LengthyDocumentError } from '../unfolding-budget.ts';
import { type Edit, EditedText } from './edited-text.ts';
import { ReferenceExpander, remoteIn, UnusableContextError } from './expand-references.ts';
import { findContexts, jsonAt, type Slice } from './find-contexts.ts';
import { literalKeys } from './literal-keys.ts';
import type { PreloadedContexts } from './preloaded-contexts.ts';

/** The most bytes of contexts that take the place of references in one document. */
const MAX_INLINED_BYTES = 32 * 1024 * 1024;
/** The same for a document with `brief`. */
const BRIEF_BYTES = 256 * 1024;
/** An object applies two contexts of terms within one another: those of its key and of its type. */
const SCOPES_A_LEVEL = 2;

export interface InliningOptions {
  readonly contexts: PreloadedContexts;
  readonly baseIri: string;
  readonly brief?: boolean | undefined;
}

/** A document in which preloaded contexts have taken the place of their IRIs. */
export interface InlinedDocument {
  readonly text: EditedText;
  /** Keys whose values may be JSON literals. */
  readonly literals: ReadonlySet<string>;
  /** For the first reference that could not be replaced. The parser may never come to use it. */
  readonly failure: RdfError | undefined;
}

/**
 * Puts preloaded contexts in the place of their IRIs. The document must have passed
 * `checkJsonDepth`. Throws `too-large` with a position.
 */
export function inlineContexts(document: Uint8Array, options: InliningOptions): InlinedDocument {
  const found = [...findContexts(document).values()];
  const inliner = new Inliner(document, options);
  const literals = literalKeys(new Set(found.map((slice) => inliner.read(slice).value)));
  if (!inliner.hasReferences) return { text: new EditedText(document, []), literals, failure: undefined };
  // Only now it is known which contexts are data.
  const edits = [...findContexts(document, literals).values()].flatMap((slice) => inliner.editOf(slice));
  edits.sort((left, right) => left.start - right.start);
  return { text: new EditedText(document, edits), literals, failure: inliner.failure };
}

/** A value of `@context`. */
interface ReadContext {
  /** With the contexts that it names, if that is possible. */
  readonly value: unknown;
  /** The value as JSON, if the document has references in its place. */
  readonly replacement?: Uint8Array;
  /** The first reference, and why it can't be replaced. */
  readonly unusable?: { readonly reference: string; readonly reason: string };
}

class Inliner {
  readonly #document: Buffer;
  readonly #options: InliningOptions;
  readonly #maxBytes: number;
  /** Contexts by their texts. */
  readonly #read = new Map<string, ReadContext>();
  #expander: ReferenceExpander | undefined;
  /** Start of the context that is being read. */
  #at = 0;
  /** Bytes that a single context, and all of them together, may still take. */
  #leftOfContext = 0;
  #left: number;
  failure: RdfError | undefined;

  constructor(document: Uint8Array, options: InliningOptions) {
    this.#document = Buffer.from(document.buffer, document.byteOffset, document.length);
    this.#options = options;
    this.#maxBytes = options.brief ? BRIEF_BYTES : MAX_INLINED_BYTES;
    this.#left = this.#maxBytes;
  }

  get hasReferences(): boolean {
    return this.#expander !== undefined;
  }

  read(slice: Slice): ReadContext {
    const text = this.#document.toString('latin1', slice.start, slice.end);
    const known = this.#read.get(text);
    if (known) return known;
    this.#at = slice.start;
    const context = this.#resolved(jsonAt(this.#document, slice));
    this.#read.set(text, context);
    return context;
  }

  editOf(slice: Slice): Edit[] {
    const { replacement, unusable } = this.read(slice);
    if (unusable) this.failure ??= this.#failureOf(unusable, slice);
    if (!replacement) return [];
    this.#left -= replacement.length;
    if (this.#left < 0) this.#rejectSize(slice.start);
    return [{ ...slice, replacement }];
  }

  #resolved(value: unknown): ReadContext {
    const reference = remoteIn(value);
    if (reference === undefined) return { value };
    this.#expander ??= this.#newExpander();
    this.#leftOfContext = this.#maxBytes;
    try {
      const expanded = this.#expander.expand(value);
      return { value: expanded, replacement: Buffer.from(JSON.stringify(expanded)) };
    } catch (error) {
      if (!(error instanceof UnusableContextError)) throw error;
      return { value, unusable: { reference: error.reference, reason: error.message } };
    }
  }

  #newExpander(): ReferenceExpander {
    const { contexts, baseIri } = this.#options;
    const scopes = SCOPES_A_LEVEL * depthOf(this.#document);
    const spend = (bytes: number) => {
      this.#leftOfContext -= bytes;
      if (this.#leftOfContext < 0) this.#rejectSize(this.#at);
    };
    return new ReferenceExpander({ contexts, baseIri, scopes, spend });
  }

  #rejectSize(start: number): never {
    if (this.#options.brief) throw new LengthyDocumentError();
    const message = `The contexts that the document names have more than ${MAX_INLINED_BYTES} bytes: name each one once, in a context of the whole document`;
    throw new RdfError('too-large', message, { source: 'body', ...positionOfByte(this.#document, start) });
  }

  #failureOf({ reference, reason }: NonNullable<ReadContext['unusable']>, { start, end }: Slice): RdfError {
    const written = this.#document.subarray(0, end).indexOf(JSON.stringify(reference), start);
    const position = positionOfByte(this.#document, Math.max(written, start));
    return new RdfError('remote-context', reason, { ...position, source: 'body' });
  }
}
