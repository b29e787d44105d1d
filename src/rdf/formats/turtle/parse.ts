import { EventEmitter } from 'node:events';
import { createRequire } from 'node:module';
import { QuadBlockBuilder } from '../../interning/quad-block-builder.ts';
import {
  blankTerm,
  defaultGraph,
  iriTerm,
  type TermRef,
  TextTerms,
  TripleRef,
  taggedTerm,
  typedTerm,
} from '../../interning/text-terms.ts';
import { DeclaredPrefixes } from '../../model/names/declared-prefixes.ts';
import type { QuadBlock } from '../../model/quad-block.ts';
import { MAX_TRIPLE_DEPTH } from '../../model/triple-term.ts';
import { parseError, type RdfError } from '../errors.ts';
import { checkpoint, type ParseControl } from '../parse-progress.ts';
import { characterBoundary, type Position, positionAfter } from '../position.ts';
import { UnfoldingBudget } from '../unfolding-budget.ts';
import { TurtleLimits } from './limits.ts';
import { startOf, type Token } from './token-position.ts';

export interface TurtleOptions extends ParseControl {
  readonly mediaType: 'text/turtle' | 'application/trig' | 'text/n3';
  /** Absolute. */
  readonly baseIri: string;
  /** Number of bytes passed to the parser at a time. */
  readonly chunkBytes?: number;
}

const CHUNK_BYTES = 64 * 1024;

const require = createRequire(import.meta.url);
let n3: typeof import('n3') | undefined;
let reader: TurtleReader | undefined;

/**
 * Loaded on first use: it includes a store, a reasoner and streams, which take memory in every
 * thread.
 */
function loadN3(): typeof import('n3') {
  n3 ??= require('n3') as typeof import('n3');
  return n3;
}

/**
 * Reads Turtle, TriG or the subset of N3 that is RDF (G-42) from valid UTF-8 without a byte order
 * mark. N3.js reads the syntax, while terms are created here, one object for each distinct term.
 * Throws `RdfError` with line and column.
 */
export function parseTurtle(bytes: Uint8Array, options: TurtleOptions): QuadBlock {
  const own = reader ?? new TurtleReader();
  // A reader that failed is not reused: its lexer may still have parts of the text.
  reader = undefined;
  const block = own.read(bytes, options);
  reader = own;
  return block;
}

const LINE_FEED = 0x0a;

/**
 * Returns where a chunk of about `size` bytes ends: after its last line, unless that would make it
 * small. If a token is cut off, N3.js searches for its end beyond that of the text, which makes V8
 * discard compiled code.
 */
function chunkEnd(bytes: Uint8Array, start: number, size: number): number {
  if (start + size >= bytes.length) return bytes.length;
  const lines = bytes.subarray(start, start + size).lastIndexOf(LINE_FEED) + 1;
  return lines > size / 2 ? start + lines : characterBoundary(bytes, start + size);
}

interface N3Error extends Error {
  readonly context?: { readonly token?: Token; readonly line: number; readonly previousToken?: Token };
}

type TokenCallback = (error: N3Error | null, token: Token) => void;

/** The results of the document that is being read. */
interface Document {
  readonly bytes: Uint8Array;
  readonly builder: QuadBlockBuilder;
  readonly terms: TextTerms;
  readonly limits: TurtleLimits;
  readonly prefixes: DeclaredPrefixes;
}

/**
 * One reader reads all documents of a thread, one after another. V8 discards compiled code together
 * with its functions, so those that N3.js calls are kept, and those that it creates for each
 * document are kept until the next one has begun.
 */
class TurtleReader {
  readonly #lexers = { rdf: this.#lexer(false), n3: this.#lexer(true) };
  readonly #factory = this.#makeFactory();
  /** The object for the next triple. N3.js passes a triple on at once, but keeps a triple term. */
  #triple = new TripleRef();
  #isTaken = false;
  #document: Document | undefined;
  #token: Token | undefined;
  /** The input of the last document. Its listeners keep all objects that N3.js created. */
  input: EventEmitter | undefined;

  read(bytes: Uint8Array, options: TurtleOptions): QuadBlock {
    const builder = new QuadBlockBuilder(bytes.length, () => this.#token && startOf(this.#token));
    const budget = new UnfoldingBudget(bytes.length, options.brief);
    const terms = new TextTerms(builder.terms, budget, this.#rejectTerm);
    const limits = new TurtleLimits(options.baseIri, budget);
    const prefixes = new DeclaredPrefixes();
    this.#document = { bytes, builder, terms, limits, prefixes };
    this.#token = undefined;
    try {
      this.#parse(bytes, options);
      return builder.finish(true, prefixes.text);
    } finally {
      this.#document = undefined;
    }
  }

  #parse(bytes: Uint8Array, options: TurtleOptions): void {
    const input = this.#startParser(options);
    const size = options.chunkBytes ?? CHUNK_BYTES;
    for (let start = 0, end = 0; start < bytes.length; start = end) {
      end = chunkEnd(bytes, start, size);
      input.emit('data', Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('utf8'));
      checkpoint(options, end);
    }
    input.emit('end');
  }

  /** Returns the emitter that receives the text. */
  #startParser({ mediaType, baseIri }: TurtleOptions): EventEmitter {
    const settings = {
      format: mediaType,
      baseIRI: baseIri,
      blankNodePrefix: '',
      formulaScopedBlankNodes: true,
      lexer: mediaType === 'text/n3' ? this.#lexers.n3 : this.#lexers.rdf,
      factory: this.#factory,
      maxTripleTermDepth: MAX_TRIPLE_DEPTH,
    };
    const input = new EventEmitter();
    new (loadN3().Parser)(settings as object).parse(
      input,
      this.#takeTriple as never,
      this.#takePrefix as never,
    );
    this.input = input;
    return input;
  }

  readonly #rejectTerm = (error: string | undefined): void => this.#reject(error);

  readonly #takeTriple = (error: N3Error | null, triple: TripleRef | null): void => {
    if (error) throw this.#syntaxError(error);
    if (triple === null) return;
    this.#isTaken = false;
    this.#addQuad(triple);
  };

  readonly #takePrefix = (name: string, namespace: TermRef): void => {
    this.#document!.prefixes.declare(name, namespace.value);
  };

  /** The lexer of N3.js, wrapped to record tokens and to reject those of N3 that are not RDF. */
  #lexer(n3: boolean): object {
    const lexer = new (loadN3().Lexer)({ n3 });
    const tokenize = lexer.tokenize.bind(lexer) as unknown as (
      input: unknown,
      callback: TokenCallback,
    ) => void;
    return {
      get previousToken(): unknown {
        return (lexer as { previousToken?: unknown }).previousToken;
      },
      tokenize: (input: EventEmitter, callback: TokenCallback): void =>
        tokenize(input, (error, token) => {
          if (error === null) {
            this.#token = token;
            this.#document!.limits.take(token);
            if (n3 && rejected.has(token.type)) this.#rejectToken(token);
          }
          callback(error, token);
        }),
    };
  }

  #rejectToken(token: Token): void {
    if (token.type !== 'abbreviation' || token.value === '>') this.#reject(rejected.get(token.type)!);
  }

  /** The factory with which N3.js creates terms. */
  #makeFactory(): object {
    return {
      namedNode: iriTerm,
      blankNode: blankTerm,
      literal: literalTerm,
      defaultGraph: () => defaultGraph,
      quad: (subject: TermRef, predicate: TermRef, object: TermRef, graph: TermRef) => {
        if (subject.termType === 'Literal') this.#reject('A literal cannot be a subject');
        if (subject.termType === 'Quad') this.#reject('A triple term can only be an object');
        if (predicate.termType !== 'NamedNode') this.#reject('Only an IRI can be a predicate');
        if (this.#isTaken) this.#triple = new TripleRef();
        this.#isTaken = true;
        const triple = this.#triple;
        triple.subject = subject;
        triple.predicate = predicate;
        triple.object = object;
        triple.graph = graph;
        return triple;
      },
    };
  }

  #addQuad({ subject, predicate, object, graph }: TripleRef): void {
    const { builder, terms } = this.#document!;
    builder.addQuad(
      terms.indexOf(subject),
      terms.indexOf(predicate),
      terms.indexOf(object),
      terms.indexOf(graph),
    );
  }

  #reject(error: string | undefined): void {
    if (error !== undefined) throw parseError(error, this.#token && startOf(this.#token));
  }

  #syntaxError(error: N3Error): RdfError {
    const message = error.message.replace(/ on line \d+\.$/, '');
    return parseError(message, error.context && this.#positionOf(error.context));
  }

  #positionOf(context: NonNullable<N3Error['context']>): Position {
    if (context.token) return startOf(context.token);
    const previous = context.previousToken;
    const sameLine = previous !== undefined && (previous.endLine ?? previous.line) === context.line;
    return positionAfter(this.#document!.bytes, context.line, sameLine ? previous.end : 0);
  }
}

/** A language with a direction, as N3.js passes it. */
interface DirectedLanguage {
  readonly language: string;
  readonly direction: string;
}

/**
 * `kind` is a language, perhaps with a direction, a datatype, or undefined. N3.js rejects the
 * datatypes that need a language.
 */
function literalTerm(value: string, kind?: string | TermRef | DirectedLanguage): TermRef {
  if (kind === undefined) return typedTerm(value);
  if (typeof kind === 'string') return taggedTerm(value, kind);
  if ('language' in kind) return taggedTerm(value, `${kind.language}--${kind.direction}`);
  return typedTerm(value, kind.value);
}

const beyondRdf = 'N3 beyond RDF (formulae, implications, variables, quantifiers) is not supported';
const rdf12 = 'RDF 1.2 (triple terms, annotations, text direction) is not supported in N3';

/** Messages for the types of tokens that are rejected in N3. */
const rejected: ReadonlyMap<string, string> = new Map([
  ...['<<', '<<(', '{|', '~', 'dircode'].map((type) => [type, rdf12] as const),
  ...['{', 'var', '@forAll', '@forSome', 'inverse', 'abbreviation'].map((type) => [type, beyondRdf] as const),
]);
