import { parseError, RdfError } from '../formats/errors.ts';
import { loneSurrogate } from '../formats/jsonld/lone-surrogate.ts';
import { respellTags } from '../formats/jsonld/respell-tags.ts';
import { NQuadsReader } from '../formats/nquads/parse.ts';
import { checkpoint, type ParseControl } from '../formats/parse-progress.ts';
import { type Position, positionOfByte } from '../formats/position.ts';
import { UnfoldingBudget } from '../formats/unfolding-budget.ts';
import type { QuadBlock } from '../model/quad-block.ts';
import { withOxigraph } from './library.ts';

export interface JsonLdOptions extends ParseControl {
  readonly baseIri: string;
  /** Returns the error for a document that uses a context that it names by its IRI. */
  readonly remoteContext: () => RdfError | undefined;
  /** Returns a quad or a message of Oxigraph as the document that was sent has it. */
  readonly restored: (text: string) => string;
}

const CHUNK_BYTES = 64 * 1024;
/** Number of characters of N-Quads that are collected before they are read. */
const BATCH_CHARACTERS = 64 * 1024;

/** Oxigraph's message for a token that does not fit in its buffer. */
const BUFFER_FULL = 'Reached the buffer maximal size';

/**
 * Reads JSON-LD from UTF-8. Oxigraph reads the syntax and returns each quad as a line of N-Quads,
 * in bounded memory. The document must have passed `checkJsonDepth` and `checkJsonLd`: Oxigraph
 * itself does not limit nesting and contexts. Throws `RdfError`.
 */
export function parseJsonLd(bytes: Uint8Array, options: JsonLdOptions): QuadBlock {
  const feed = new Feed(bytes, options, bytes.length);
  try {
    return readQuads(feed, options);
  } catch (error) {
    if (feed.interruption !== undefined) throw feed.interruption;
    if (error instanceof RdfError) throw error;
    const message = options.restored(error instanceof Error ? error.message : String(error));
    if (message.includes(BUFFER_FULL)) {
      const problem = 'A string is too long for the parser of application/ld+json: send another format';
      throw new RdfError('too-large', problem, {
        ...(statedPosition(message) ?? locate(feed, options)),
        source: 'body',
      });
    }
    if (message.includes('LoadDocumentCallback')) throw options.remoteContext() ?? remoteContext;
    rejectSurrogate(bytes, message);
    throw parseError(withoutPosition(message), statedPosition(message) ?? locate(feed, options));
  }
}

/** Oxigraph takes half of a surrogate pair near the end of the document for a missing end. */
function rejectSurrogate(bytes: Uint8Array, message: string): void {
  if (!/surrogate|Unexpected end of file/.test(message)) return;
  const at = loneSurrogate(bytes);
  if (at < 0) return;
  const written = Buffer.from(bytes.subarray(at, at + 6)).toString('latin1');
  throw parseError(`${written} is half of a surrogate pair`, positionOfByte(bytes, at));
}

/** No document is known for which this is thrown. */
const remoteContext = new RdfError('remote-context', 'Remote contexts are not fetched', { source: 'body' });

function readQuads(feed: Feed, options: JsonLdOptions): QuadBlock {
  const reader = new NQuadsReader(feed.bytes.length, {
    freshBlankNodes: true,
    graphs: true,
  });
  const budget = new UnfoldingBudget(feed.bytes.length, options.brief);
  let batch = '';
  let quads = 0;
  let flushed = 0;
  const flush = () => {
    try {
      reader.read(Buffer.from(batch));
    } catch (error) {
      if (!(error instanceof RdfError)) throw error;
      // The error's position is relative to the batch, which has one quad in each line.
      const quad = flushed + (error.details.line ?? 0);
      throw new RdfError(error.code, error.message, { ...locate(feed, options, quad), source: 'body' });
    }
    batch = '';
    flushed = quads;
  };
  forEachQuad(feed, options, (quad) => {
    const line = options.restored(quad);
    quads++;
    budget.spend(line.length);
    batch += line;
    batch += ' .\n';
    if (batch.length >= BATCH_CHARACTERS) flush();
  });
  flush();
  const block = reader.finish();
  respellTags(block, feed.bytes);
  return block;
}

/** Calls `use` with each quad in N-Quads syntax, without the dot. */
function forEachQuad(feed: Feed, options: JsonLdOptions, use: (line: string) => void): void {
  withOxigraph((oxigraph) => {
    const quads = oxigraph.parse(feed.chunks(), {
      format: 'application/ld+json',
      base_iri: options.baseIri,
    }) as unknown as QuadIterator;
    try {
      while (useNext(quads, use)) if (feed.interruption !== undefined) return;
    } finally {
      release(quads);
    }
  });
  if (feed.interruption !== undefined) throw feed.interruption;
}

/**
 * Oxigraph's results beyond their declared types: they use memory of WebAssembly, which must be
 * freed explicitly.
 */
interface QuadIterator {
  next(): { readonly value?: { toString(): string; free(): void }; free(): void };
  free(): void;
}

/**
 * Frees the iterator without hiding an error that is being thrown: after a trap, freeing fails,
 * too.
 */
function release(quads: QuadIterator): void {
  try {
    quads.free();
  } catch {
    // The whole instance is about to be discarded.
  }
}

function useNext(quads: QuadIterator, use: (line: string) => void): boolean {
  const result = quads.next();
  const quad = result.value;
  result.free();
  if (quad === undefined) return false;
  const line = quad.toString();
  quad.free();
  use(line);
  return true;
}

/** Passes a document to Oxigraph in chunks, and records how far it has come. */
class Feed {
  readonly bytes: Uint8Array;
  readonly #control: ParseControl;
  /** From this offset on a chunk is one byte, so that an error can be located. */
  readonly #preciseFrom: number;
  /** Start and end of the chunk that was passed last. */
  start = 0;
  end = 0;
  /** Why the document was cut off: an exception must not pass through WebAssembly. */
  interruption: unknown;

  constructor(bytes: Uint8Array, control: ParseControl, preciseFrom: number) {
    this.bytes = bytes;
    this.#control = control;
    this.#preciseFrom = preciseFrom;
  }

  *chunks(): Generator<Uint8Array> {
    while (this.end < this.bytes.length && this.#mayGoOn()) {
      this.start = this.end;
      const size =
        this.start >= this.#preciseFrom ? 1 : Math.min(CHUNK_BYTES, this.#preciseFrom - this.start);
      this.end = Math.min(this.start + size, this.bytes.length);
      yield this.bytes.subarray(this.start, this.end);
    }
  }

  #mayGoOn(): boolean {
    try {
      checkpoint(this.#control, this.end);
      return true;
    } catch (error) {
      this.interruption = error;
      return false;
    }
  }
}

/** Ends the search for a position. */
class Found extends Error {}

/**
 * Returns the position of an error that has none: how far Oxigraph reads until it reports an error,
 * or until it has produced `quads` quads.
 */
function locate(failed: Feed, options: JsonLdOptions, quads = Number.POSITIVE_INFINITY): Position {
  const { bytes } = failed;
  const isCounted = quads < Number.POSITIVE_INFINITY;
  const chunk = isCounted ? readUntil(new Feed(bytes, {}, bytes.length), options, quads) : failed;
  const exact = readUntil(new Feed(bytes, {}, chunk.start), options, quads);
  return positionOfByte(bytes, Math.max(0, exact.end - 1));
}

/** Reads until there is an error, or that many quads; returns the feed. */
function readUntil(feed: Feed, options: JsonLdOptions, quads: number): Feed {
  let left = quads;
  try {
    forEachQuad(feed, options, () => {
      if (--left === 0) throw new Found();
    });
  } catch {
    // This is the error that is being located.
  }
  return feed;
}

const stated = /^(?:[\w\s]+: )?Parser error (?:at|between) line (\d+),? .*?columns? (\d+)[^:]*: /;

/** Returns the position at the beginning of a message from Oxigraph's JSON parser. */
export function statedPosition(message: string): Position | undefined {
  const match = stated.exec(message);
  return match === null ? undefined : { line: Number(match[1]), column: Number(match[2]) };
}

function withoutPosition(message: string): string {
  return message.replace(stated, '');
}
