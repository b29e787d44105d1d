import { EventEmitter } from 'node:events';
import { createRequire } from 'node:module';
import type { QuadBlock } from '../graph/quad-block.ts';
import { parseError, type RdfError } from './errors.ts';
import { iriFault } from './iri.ts';
import { type Position, positionAfter } from './position.ts';
import { checkpoint, type ParseControl } from './progress.ts';
import { QuadBlockBuilder } from './quad-block-builder.ts';
import {
  blankTerm,
  defaultGraph,
  iriTerm,
  type TermRef,
  TextTerms,
  taggedTerm,
  typedTerm,
} from './text-terms.ts';

export interface TurtleOptions extends ParseControl {
  readonly mediaType: 'text/turtle' | 'application/trig' | 'text/n3';
  /** Absolute. */
  readonly baseIri: string;
  /** Bytes given to the parser at a time. */
  readonly chunkBytes?: number;
}

const CHUNK_BYTES = 256 * 1024;

const require = createRequire(import.meta.url);
let n3: typeof import('n3') | undefined;

/** Loaded when it is first used: it brings a store, a reasoner and streams along, which take memory in every thread. */
function loadN3(): typeof import('n3') {
  n3 ??= require('n3') as typeof import('n3');
  return n3;
}

/**
 * Reads Turtle, TriG or the part of N3 that is RDF (G-42) from valid UTF-8 without a byte order mark. N3.js
 * reads the syntax, while terms are made here, one object for each distinct term. Throws `RdfError` with line
 * and column.
 */
export function parseTurtle(bytes: Uint8Array, options: TurtleOptions): QuadBlock {
  const reader = new TurtleReader(bytes, options);
  const input = new EventEmitter();
  reader.start(input);
  const size = options.chunkBytes ?? CHUNK_BYTES;
  for (let start = 0, end = 0; start < bytes.length; start = end) {
    end = characterBoundary(bytes, start + size);
    input.emit('data', Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('utf8'));
    checkpoint(options, end);
  }
  input.emit('end');
  return reader.finish();
}

/** The end of the character that stands before an offset, or the end of the text. */
function characterBoundary(bytes: Uint8Array, offset: number): number {
  let end = offset;
  while (end < bytes.length && (bytes[end]! & 0xc0) === 0x80) end++;
  return Math.min(end, bytes.length);
}

/** What N3.js tells of a token: lines from 1, columns from 0. */
interface Token {
  readonly type: string;
  readonly value: string;
  readonly line: number;
  readonly start: number;
  readonly end: number;
  readonly endLine?: number;
}

interface SyntaxFault extends Error {
  readonly context?: { readonly token?: Token; readonly line: number; readonly previousToken?: Token };
}

type TokenCallback = (fault: SyntaxFault | null, token: Token) => void;

class TurtleReader {
  readonly #bytes: Uint8Array;
  readonly #builder: QuadBlockBuilder;
  readonly #terms: TextTerms;
  readonly #options: TurtleOptions;
  #token: Token | undefined;

  constructor(bytes: Uint8Array, options: TurtleOptions) {
    this.#bytes = bytes;
    this.#options = options;
    this.#builder = new QuadBlockBuilder(bytes.length);
    this.#terms = new TextTerms(this.#builder.terms, bytes.length, (iri) => this.#refuse(iriFault(iri)));
  }

  start(input: EventEmitter): void {
    const { mediaType } = this.#options;
    const settings = {
      format: mediaType,
      baseIRI: this.#options.baseIri,
      blankNodePrefix: '',
      formulaScopedBlankNodes: true,
      lexer: this.#lexer(mediaType === 'text/n3'),
      factory: this.#factory(),
    };
    const parser = new (loadN3().Parser)(settings as object);
    parser.parse(input, (fault) => {
      if (fault) throw this.#syntaxError(fault);
    });
  }

  finish(): QuadBlock {
    return this.#builder.finish(true);
  }

  /** The lexer of N3.js, behind which tokens are noted and those refused that are no RDF 1.1. */
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
        tokenize(input, (fault, token) => {
          if (fault === null) {
            this.#token = token;
            if (refused.has(token.type)) this.#refuseToken(token, n3);
          }
          callback(fault, token);
        }),
    };
  }

  #refuseToken(token: Token, n3: boolean): void {
    const message = refused.get(token.type)!;
    const onlyInN3 = message === beyondRdf;
    if (onlyInN3 && (!n3 || (token.type === 'abbreviation' && token.value !== '>'))) return;
    this.#refuse(message);
  }

  /** What N3.js makes terms with. Quads are not made but put down. */
  #factory(): object {
    return {
      namedNode: iriTerm,
      blankNode: blankTerm,
      literal: literalTerm,
      defaultGraph: () => defaultGraph,
      quad: (subject: TermRef, predicate: TermRef, object: TermRef, graph: TermRef) =>
        this.#addQuad(subject, predicate, object, graph),
    };
  }

  #addQuad(subject: TermRef, predicate: TermRef, object: TermRef, graph: TermRef): void {
    if (subject.termType === 'Literal') this.#refuse('A literal cannot be a subject');
    if (predicate.termType !== 'NamedNode') this.#refuse('Only an IRI can be a predicate');
    const terms = this.#terms;
    this.#builder.addQuad(
      terms.indexOf(subject),
      terms.indexOf(predicate),
      terms.indexOf(object),
      terms.indexOf(graph),
    );
  }

  #refuse(fault: string | undefined): void {
    if (fault !== undefined) throw parseError(fault, this.#token && startOf(this.#token));
  }

  #syntaxError(fault: SyntaxFault): RdfError {
    const message = fault.message.replace(/ on line \d+\.$/, '');
    return parseError(message, fault.context && this.#positionOf(fault.context));
  }

  #positionOf(context: NonNullable<SyntaxFault['context']>): Position {
    if (context.token) return startOf(context.token);
    const previous = context.previousToken;
    const sameLine = previous !== undefined && (previous.endLine ?? previous.line) === context.line;
    return positionAfter(this.#bytes, context.line, sameLine ? previous.end : 0);
  }
}

/** `kind`: a language, a datatype, or nothing. N3.js refuses the datatypes that need a language. */
function literalTerm(value: string, kind?: string | TermRef): TermRef {
  if (kind === undefined) return typedTerm(value);
  if (typeof kind === 'string') return taggedTerm(value, kind);
  return typedTerm(value, kind.value);
}

function startOf(token: Token): Position {
  return { line: token.line, column: token.start + 1 };
}

const beyondRdf = 'N3 beyond RDF (formulae, implications, variables, quantifiers) is not supported';
const rdf12 = 'RDF 1.2 (triple terms, annotations, text direction) is not supported';

/** Types of tokens that are refused, by what is said of them. */
const refused: ReadonlyMap<string, string> = new Map([
  ...['<<', '<<(', '{|', '~', 'dircode'].map((type) => [type, rdf12] as const),
  ...['{', 'var', '@forAll', '@forSome', 'inverse', 'abbreviation'].map((type) => [type, beyondRdf] as const),
]);
