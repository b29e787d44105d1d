import { NO_GRAPH, type QuadBlock } from '../graph/quad-block.ts';
import { parseError } from './errors.ts';
import { iriFault } from './iri.ts';
import { canonicalTerm } from './nquads-term.ts';
import { positionOfByte } from './position.ts';
import { checkpoint, type ParseControl } from './progress.ts';
import { QuadBlockBuilder } from './quad-block-builder.ts';
import { TermArena } from './term-arena.ts';
import { TermIndex } from './term-index.ts';

export interface NQuadsOptions extends ParseControl {
  /** True: blank nodes are numbered anew in the order of first use. False: they keep their labels. */
  readonly freshBlankNodes: boolean;
  /** False for N-Triples, where a fourth term is an error. */
  readonly graphs: boolean;
}

/**
 * Reads N-Quads or N-Triples (RDF 1.1) from valid UTF-8 without a byte order mark, and brings every term into
 * canonical form. It works on bytes, since most terms are canonical already and are only copied.
 * Throws `RdfError` with line and column.
 */
export function parseNQuads(bytes: Uint8Array, options: NQuadsOptions): QuadBlock {
  const reader = new NQuadsReader(bytes.length, options);
  reader.read(bytes);
  return reader.finish();
}

const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const QUOTE = 0x22;
const HASH = 0x23;
const DASH = 0x2d;
const DOT = 0x2e;
const COLON = 0x3a;
const LESS = 0x3c;
const GREATER = 0x3e;
const AT = 0x40;
const BACKSLASH = 0x5c;
const CARET = 0x5e;
const UNDERSCORE = 0x5f;

/** What a byte may be part of. Bytes of 0x80 and up are parts of characters that all of these allow. */
const IRI = 1;
const STRING = 2;
const LABEL = 4;
const LETTER = 8;
const TAG = 16;
const UPPER = 32;
const CANONICAL_ESCAPE = 64;

const classes = classifyBytes();

function classifyBytes(): Uint8Array {
  const table = new Uint8Array(256).fill(IRI | STRING | LABEL, 0x80);
  for (let byte = 0x20; byte < 0x7f; byte++) {
    const character = String.fromCharCode(byte);
    if (!' <>"{}|^`\\'.includes(character)) table[byte]! |= IRI;
    if (!'"\\'.includes(character)) table[byte]! |= STRING;
    if (/[A-Za-z0-9_:.-]/.test(character)) table[byte]! |= LABEL;
    if (/[A-Za-z]/.test(character)) table[byte]! |= LETTER;
    if (/[A-Za-z0-9]/.test(character)) table[byte]! |= TAG;
    if (/[A-Z]/.test(character)) table[byte]! |= UPPER;
    if (/[btnfr"\\]/.test(character)) table[byte]! |= CANONICAL_ESCAPE;
  }
  return table;
}

/** Bytes between two reports of progress. */
const REPORT_EVERY = 1 << 20;

const encoder = new TextEncoder();

/** Reads N-Quads in pieces of whole lines. */
export class NQuadsReader {
  readonly #options: NQuadsOptions;
  readonly #builder: QuadBlockBuilder;
  readonly #terms: TermIndex;
  readonly #labels = new TermIndex(new TermArena(0, Number.POSITIVE_INFINITY));
  /** Term number of each label, by the number of the label. */
  readonly #labelled: number[] = [];
  #bytes: Uint8Array = new Uint8Array(0);
  #at = 0;
  /** The term read last is not known to be canonical as it stands. */
  #unusual = false;

  /** `documentBytes`: about how large the whole is, to bound what it may unfold to. */
  constructor(documentBytes: number, options: NQuadsOptions) {
    this.#options = options;
    this.#builder = new QuadBlockBuilder(documentBytes);
    this.#terms = new TermIndex(this.#builder.terms);
  }

  /** Reads statements to the end of a piece. */
  read(bytes: Uint8Array): void {
    this.#bytes = bytes;
    this.#at = 0;
    let report = REPORT_EVERY;
    while (this.#skipToStatement()) {
      this.#statement();
      if (this.#at >= report) {
        checkpoint(this.#options, this.#at);
        report = this.#at + REPORT_EVERY;
      }
    }
  }

  finish(): QuadBlock {
    return this.#builder.finish(this.#options.freshBlankNodes);
  }

  #statement(): void {
    const subject = this.#node('a subject');
    this.#skipSpace();
    if (this.#bytes[this.#at] !== LESS) this.#fail('Expected a predicate');
    const predicate = this.#iri();
    this.#skipSpace();
    const object = this.#bytes[this.#at] === QUOTE ? this.#literal() : this.#node('an object');
    this.#skipSpace();
    let graph = NO_GRAPH;
    if (this.#options.graphs && this.#bytes[this.#at] !== DOT) {
      graph = this.#node('a graph name or a dot');
      this.#skipSpace();
    }
    if (this.#bytes[this.#at] !== DOT) this.#fail('Expected a dot');
    this.#at++;
    this.#endLine();
    this.#builder.addQuad(subject, predicate, object, graph);
  }

  #node(expected: string): number {
    const first = this.#bytes[this.#at];
    if (first === LESS) return this.#iri();
    if (first === UNDERSCORE) return this.#blankNode();
    return this.#fail(`Expected ${expected}`);
  }

  #iri(): number {
    const start = this.#at;
    this.#unusual = false;
    this.#skipIri();
    return this.#intern(start);
  }

  /** Passes an IRI in angle brackets. */
  #skipIri(): void {
    const bytes = this.#bytes;
    const start = this.#at;
    let at = start + 1;
    while ((classes[bytes[at]!]! & IRI) !== 0 || bytes[at] === BACKSLASH) {
      if (bytes[at] === BACKSLASH) this.#unusual = true;
      at++;
    }
    this.#at = at;
    if (bytes[at] !== GREATER) {
      const tripleTerm = at === start + 1 && bytes[at] === LESS;
      this.#fail(tripleTerm ? 'Triple terms (RDF 1.2) are not supported' : 'Unexpected character in an IRI');
    }
    this.#at = at + 1;
  }

  #literal(): number {
    const start = this.#at;
    this.#unusual = false;
    this.#skipString();
    const next = this.#bytes[this.#at];
    if (next === AT) this.#skipLanguage();
    else if (next === CARET) this.#skipDatatype();
    return this.#intern(start);
  }

  #skipString(): void {
    const bytes = this.#bytes;
    let at = this.#at + 1;
    while (bytes[at] !== QUOTE) {
      const byte = bytes[at];
      if ((classes[byte!]! & STRING) !== 0) {
        at++;
      } else if (byte === BACKSLASH) {
        if ((classes[bytes[at + 1]!]! & CANONICAL_ESCAPE) === 0) this.#unusual = true;
        at += 2;
      } else {
        this.#at = at;
        if (byte === undefined || byte === LF || byte === CR) this.#fail('Unterminated string');
        this.#unusual = true;
        at++;
      }
    }
    this.#at = at + 1;
  }

  #skipLanguage(): void {
    const bytes = this.#bytes;
    let at = this.#at + 1;
    let wanted = LETTER;
    do {
      const start = at;
      while ((classes[bytes[at]!]! & wanted) !== 0) {
        if ((classes[bytes[at]!]! & UPPER) !== 0) this.#unusual = true;
        at++;
      }
      this.#at = at;
      if (at === start && wanted === TAG && bytes[at] === DASH) {
        this.#fail('Text direction (RDF 1.2) is not supported');
      }
      if (at === start || at - start > 8) this.#fail('Malformed language tag');
      wanted = TAG;
    } while (bytes[at++] === DASH);
  }

  #skipDatatype(): void {
    if (this.#bytes[this.#at + 1] !== CARET || this.#bytes[this.#at + 2] !== LESS) {
      this.#fail('Expected a datatype');
    }
    this.#at += 2;
    const start = this.#at;
    this.#skipIri();
    if (isSpecialDatatype(this.#bytes, start, this.#at)) this.#unusual = true;
  }

  /** The number of the IRI or literal that stands between `start` and here. */
  #intern(start: number): number {
    const known = this.#builder.terms.count;
    if (this.#unusual) return this.#internUnusual(start);
    const term = this.#terms.intern(this.#bytes, start, this.#at);
    if (term === known) this.#checkIri(start);
    return term;
  }

  #internUnusual(start: number): number {
    const text = decode(this.#bytes, start, this.#at);
    const term = canonicalTerm(text);
    if (!term.ok) return this.#failAt(start, term.fault);
    const bytes = encoder.encode(term.text);
    return this.#terms.intern(bytes, 0, bytes.length);
  }

  /** Checks the IRI that a new term is, or that its datatype is. */
  #checkIri(start: number): void {
    if (this.#bytes[this.#at - 1] !== GREATER) return;
    const open = this.#bytes.lastIndexOf(LESS, this.#at - 1);
    const fault = iriFault(decode(this.#bytes, open + 1, this.#at - 1));
    if (fault !== undefined) this.#failAt(start, fault);
  }

  #blankNode(): number {
    const start = this.#at;
    this.#skipLabel();
    if (!this.#options.freshBlankNodes) return this.#terms.intern(this.#bytes, start, this.#at);
    const label = this.#labels.intern(this.#bytes, start, this.#at);
    const known = this.#labelled[label];
    if (known !== undefined) return known;
    const fresh = encoder.encode(`_:${label}`);
    const term = this.#terms.intern(fresh, 0, fresh.length);
    this.#labelled[label] = term;
    return term;
  }

  #skipLabel(): void {
    const bytes = this.#bytes;
    const start = this.#at + 2;
    const first = bytes[start];
    if (bytes[start - 1] !== COLON || (classes[first!]! & LABEL) === 0 || first === DASH || first === DOT) {
      this.#fail('Malformed blank node label');
    }
    let at = start;
    while ((classes[bytes[at]!]! & LABEL) !== 0) at++;
    while (bytes[at - 1] === DOT) at--;
    this.#at = at;
  }

  /** Goes to the next statement, past empty lines and comments; false at the end. */
  #skipToStatement(): boolean {
    const bytes = this.#bytes;
    for (;;) {
      this.#skipSpace();
      const byte = bytes[this.#at];
      if (byte === LF || byte === CR) this.#at++;
      else if (byte === HASH) this.#skipComment();
      else return this.#at < bytes.length;
    }
  }

  #endLine(): void {
    this.#skipSpace();
    if (this.#bytes[this.#at] === HASH) this.#skipComment();
    const byte = this.#bytes[this.#at];
    if (byte !== LF && byte !== CR && byte !== undefined) this.#fail('Expected the end of the line');
  }

  #skipComment(): void {
    const bytes = this.#bytes;
    let at = this.#at;
    while (at < bytes.length && bytes[at] !== LF && bytes[at] !== CR) at++;
    this.#at = at;
  }

  #skipSpace(): void {
    const bytes = this.#bytes;
    let at = this.#at;
    while (bytes[at] === SPACE || bytes[at] === TAB) at++;
    this.#at = at;
  }

  #fail(message: string): never {
    return this.#failAt(this.#at, message);
  }

  #failAt(offset: number, message: string): never {
    throw parseError(message, positionOfByte(this.#bytes, offset));
  }
}

const specialDatatypes = ['string', 'langString', 'dirLangString'].map((name) =>
  encoder.encode(
    `<${name === 'string' ? 'http://www.w3.org/2001/XMLSchema#' : 'http://www.w3.org/1999/02/22-rdf-syntax-ns#'}${name}>`,
  ),
);

/** True for datatypes that the canonical form leaves out or that cannot be written as such. */
function isSpecialDatatype(bytes: Uint8Array, start: number, end: number): boolean {
  return specialDatatypes.some(
    (name) => name.length === end - start && name.every((byte, index) => bytes[start + index] === byte),
  );
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

function decode(bytes: Uint8Array, start: number, end: number): string {
  return decoder.decode(bytes.subarray(start, end));
}
