import { NO_GRAPH, type QuadBlock } from '../graph/quad-block.ts';
import { parseError } from './errors.ts';
import { iriFault } from './iri.ts';
import {
  AT,
  BACKSLASH,
  CANONICAL_ESCAPE,
  CARET,
  COLON,
  CR,
  classes,
  DASH,
  DOT,
  decode,
  GREATER,
  HASH,
  IRI,
  isSpecialDatatype,
  LABEL,
  LESS,
  LETTER,
  LF,
  QUOTE,
  SPACE,
  STRING,
  TAB,
  TAG,
  UNDERSCORE,
  UPPER,
} from './nquads-bytes.ts';
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
  readonly #subject = new RecentIri();
  readonly #predicate = new RecentIri();
  readonly #object = new RecentIri();
  readonly #graph = new RecentIri();
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
    for (const recent of [this.#subject, this.#predicate, this.#object, this.#graph]) recent.forget();
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
    const subject = this.#node(this.#subject, 'a subject');
    this.#skipSpace();
    if (this.#bytes[this.#at] !== LESS) this.#fail('Expected a predicate');
    const predicate = this.#iri(this.#predicate);
    this.#skipSpace();
    const literal = this.#bytes[this.#at] === QUOTE;
    const object = literal ? this.#literal() : this.#node(this.#object, 'an object');
    this.#skipSpace();
    let graph = NO_GRAPH;
    if (this.#options.graphs && this.#bytes[this.#at] !== DOT) {
      graph = this.#node(this.#graph, 'a graph name or a dot');
      this.#skipSpace();
    }
    if (this.#bytes[this.#at] !== DOT) this.#fail('Expected a dot');
    this.#at++;
    this.#endLine();
    this.#builder.addQuad(subject, predicate, object, graph);
  }

  #node(recent: RecentIri, expected: string): number {
    const first = this.#bytes[this.#at];
    if (first === LESS) return this.#iri(recent);
    if (first === UNDERSCORE) return this.#blankNode();
    return this.#fail(`Expected ${expected}`);
  }

  #iri(recent: RecentIri): number {
    const start = this.#at;
    if (recent.standsAt(this.#bytes, start)) {
      this.#at = start + recent.end - recent.start;
    } else {
      this.#unusual = false;
      this.#skipIri();
      recent.term = this.#intern(start);
    }
    recent.start = start;
    recent.end = this.#at;
    return recent.term;
  }

  /** Passes an IRI in angle brackets. */
  #skipIri(): void {
    const bytes = this.#bytes;
    const start = this.#at;
    let at = start + 1;
    for (;;) {
      while ((classes[bytes[at]!]! & IRI) !== 0) at++;
      if (bytes[at] !== BACKSLASH) break;
      this.#unusual = true;
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

/** The IRI that stood last in a column: mostly the next one is the same, and then need not be looked up. */
class RecentIri {
  /** Offsets in the piece that is read, brackets included. */
  start = 0;
  end = 0;
  term = 0;

  forget(): void {
    this.end = this.start;
  }

  /** True when the same IRI stands at an offset. As it ends with a bracket, nothing longer can. */
  standsAt(bytes: Uint8Array, offset: number): boolean {
    const { start, end } = this;
    for (let at = end - 1, other = offset + end - start - 1; at >= start; at--, other--) {
      if (bytes[at] !== bytes[other]) return false;
    }
    return end > start;
  }
}
