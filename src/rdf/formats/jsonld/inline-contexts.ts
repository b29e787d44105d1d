import { depthOf } from '../../../base/json/bytes.ts';
import { RdfError } from '../errors.ts';
import { positionOfByte } from '../position.ts';
import { LengthyDocumentError } from '../unfolding-budget.ts';
import { type Edit, EditedText } from './edited-text.ts';
import { ReferenceExpander, remoteIn, UnusableContextError } from './expand-references.ts';
import { findContexts, jsonAt, type Slice } from './find-contexts.ts';
import { LiteralKeys } from './literal-keys.ts';
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
  /** For the first reference that could not be replaced. The parser may never come to use it. */
  readonly failure: RdfError | undefined;
}

/**
 * Puts preloaded contexts in the place of their IRIs. The document must have passed
 * `checkJsonDepth`. Throws `too-large` with a position.
 */
export function inlineContexts(document: Uint8Array, options: InliningOptions): InlinedDocument {
  const inliner = new Inliner(document, options);
  const literals = new LiteralKeys();
  for (const slice of findContexts(document).values()) inliner.read(slice, literals);
  const slices = inliner.hasReferences ? [...findContexts(document, literals.all()).values()] : [];
  const edits = slices.flatMap((slice) => inliner.editOf(slice));
  edits.sort((left, right) => left.start - right.start);
  return { text: new EditedText(document, edits), failure: inliner.failure };
}

/** What takes the place of a value of `@context` with references, or why nothing can. */
type Outcome =
  | { readonly replacement: Uint8Array }
  | { readonly replacement?: never; readonly reference: string; readonly reason: string };

class Inliner {
  readonly #document: Buffer;
  readonly #options: InliningOptions;
  /** By the texts of contexts with references: many nodes may name the same one. */
  readonly #outcomes = new Map<string, Outcome>();
  #expander: ReferenceExpander | undefined;
  /** Start of the context that is being read. */
  #at = 0;
  /** Bytes that all different contexts, and all together, may still take. */
  #leftToRead: number;
  #leftToWrite: number;
  failure: RdfError | undefined;

  constructor(document: Uint8Array, options: InliningOptions) {
    this.#document = Buffer.from(document.buffer, document.byteOffset, document.length);
    this.#options = options;
    this.#leftToRead = options.brief ? BRIEF_BYTES : MAX_INLINED_BYTES;
    this.#leftToWrite = this.#leftToRead;
  }

  get hasReferences(): boolean {
    return this.#outcomes.size > 0;
  }

  /** Reads a context, and adds its terms, with those of contexts that it names, to `literals`. */
  read(slice: Slice, literals: LiteralKeys): void {
    const text = this.#textOf(slice);
    if (this.#outcomes.has(text)) return;
    this.#at = slice.start;
    const value = jsonAt(this.#document, slice);
    if (remoteIn(value) === undefined) {
      literals.add(value);
      return;
    }
    const { expanded, outcome } = this.#expand(value);
    literals.add(expanded);
    this.#outcomes.set(text, outcome);
  }

  editOf(slice: Slice): Edit[] {
    const outcome = this.#outcomes.get(this.#textOf(slice));
    if (outcome === undefined) return [];
    const { replacement } = outcome;
    if (replacement === undefined) {
      this.failure ??= this.#failureOf(outcome.reference, outcome.reason, slice);
      return [];
    }
    this.#leftToWrite -= replacement.length;
    if (this.#leftToWrite < 0) this.#rejectSize(slice.start);
    return [{ ...slice, replacement }];
  }

  #textOf({ start, end }: Slice): string {
    return this.#document.toString('latin1', start, end);
  }

  #expand(value: unknown): { readonly expanded: unknown; readonly outcome: Outcome } {
    this.#expander ??= this.#newExpander();
    try {
      const expanded = this.#expander.expand(value);
      return { expanded, outcome: { replacement: Buffer.from(JSON.stringify(expanded)) } };
    } catch (error) {
      if (!(error instanceof UnusableContextError)) throw error;
      return { expanded: value, outcome: { reference: error.reference, reason: error.message } };
    }
  }

  #newExpander(): ReferenceExpander {
    const { contexts, baseIri } = this.#options;
    const scopes = SCOPES_A_LEVEL * depthOf(this.#document);
    const spend = (bytes: number) => {
      this.#leftToRead -= bytes;
      if (this.#leftToRead < 0) this.#rejectSize(this.#at);
    };
    return new ReferenceExpander({ contexts, baseIri, scopes, spend });
  }

  #rejectSize(start: number): never {
    if (this.#options.brief) throw new LengthyDocumentError();
    const message = `The contexts that the document names have more than ${MAX_INLINED_BYTES} bytes: name each one once, in a context of the whole document`;
    throw new RdfError('too-large', message, { source: 'body', ...positionOfByte(this.#document, start) });
  }

  #failureOf(reference: string, reason: string, { start, end }: Slice): RdfError {
    const written = this.#document.subarray(0, end).indexOf(JSON.stringify(reference), start);
    const position = positionOfByte(this.#document, Math.max(written, start));
    return new RdfError('remote-context', reason, { ...position, source: 'body' });
  }
}
