import { viewOf } from '../../../base/bytes/wide-copy.ts';
import { QuadBlockBuilder } from '../../interning/quad-block-builder.ts';
import { TermArena } from '../../interning/term-arena.ts';
import { TermIndex } from '../../interning/term-index.ts';
import { iriError, isIriIn, isPlainIriIn } from '../../model/iri.ts';
import { withSmallTag } from '../../model/language/tag-case.ts';
import { NO_GRAPH, type QuadBlock } from '../../model/quad-block.ts';
import { MAX_TRIPLE_DEPTH } from '../../model/triple-term.ts';
import { addBlankNode } from '../blank-labels.ts';
import { blankGraphError } from '../errors.ts';
import { checkpoint, type ParseControl } from '../parse-progress.ts';
import { type Position, positionOfByte } from '../position.ts';
import { canonicalTerm } from './canonical-term.ts';
import { NQuadsLexer } from './line-lexer.ts';
import { AT, CARET, DOT, decode, GREATER, LESS, LF, QUOTE, UNDERSCORE } from './syntax-bytes.ts';

export interface NQuadsOptions extends ParseControl {
  /**
   * True if blank nodes are numbered in the order of first use; false if they keep their labels.
   */
  readonly freshBlankNodes: boolean;
  /** False for N-Triples, where a fourth term is an error. */
  readonly graphs: boolean;
  /** True if a graph name that is a blank node is the error `bad-term`. */
  readonly iriGraphs?: boolean;
  /** True for stored terms, which may have IRIs of earlier versions (http-api G-17). */
  readonly storedTerms?: boolean;
}

/**
 * Reads N-Quads or N-Triples (RDF 1.2) from valid UTF-8 without a byte order mark, and converts
 * every term to its canonical form. It works on bytes, since most terms are already canonical and
 * are only copied. Throws `RdfError` with line and column.
 */
export function parseNQuads(bytes: Uint8Array, options: NQuadsOptions): QuadBlock {
  const reader = new NQuadsReader(bytes.length, options);
  reader.read(bytes);
  return reader.finish();
}

/** Number of bytes between two progress reports. */
const REPORT_EVERY = 1 << 20;

/** Number of bytes that are compared at a time; with its brackets no IRI is shorter. */
const WORD = 4;

const encoder = new TextEncoder();

/** Reads N-Quads in chunks of whole lines. */
export class NQuadsReader extends NQuadsLexer {
  readonly #options: NQuadsOptions;
  readonly #builder: QuadBlockBuilder;
  readonly #terms: TermIndex;
  /** Created for the first label. */
  #labels: TermIndex | undefined;
  /** Term number of each label, by the number of the label. */
  readonly #labelled: number[] = [];
  /** The chunk. */
  #view = viewOf(this.bytes);
  readonly #subject = new RecentIri();
  readonly #predicate = new RecentIri();
  readonly #object = new RecentIri();
  readonly #graph = new RecentIri();
  readonly #datatype = new RecentIri();

  /** `documentBytes`: approximate size of the whole document, to limit its expansion. */
  constructor(documentBytes: number, options: NQuadsOptions) {
    super();
    this.#options = options;
    this.#builder = new QuadBlockBuilder(documentBytes, () => this.#lineStart());
    this.#terms = new TermIndex(this.#builder.terms);
  }

  /** Reads statements to the end of a chunk. */
  read(bytes: Uint8Array): void {
    this.bytes = bytes;
    this.#view = viewOf(bytes);
    this.at = 0;
    this.#forgetIris();
    let report = REPORT_EVERY;
    while (this.skipToStatement()) {
      this.#statement();
      if (this.at >= report) {
        checkpoint(this.#options, this.at);
        report = this.at + REPORT_EVERY;
      }
    }
  }

  #forgetIris(): void {
    const columns = [this.#subject, this.#predicate, this.#object, this.#graph];
    for (const recent of [...columns, this.#datatype]) recent.forget();
  }

  finish(): QuadBlock {
    return this.#builder.finish(this.#options.freshBlankNodes);
  }

  #statement(): void {
    const subject = this.#node(this.#subject, 'a subject');
    this.skipSpace();
    if (this.bytes[this.at] !== LESS) this.fail('Expected a predicate');
    const predicate = this.#iri(this.#predicate);
    this.skipSpace();
    const object = this.#objectTerm();
    this.skipSpace();
    let graph = NO_GRAPH;
    if (this.#options.graphs && this.bytes[this.at] !== DOT) {
      graph = this.#graphName();
      this.skipSpace();
    }
    if (this.bytes[this.at] !== DOT) this.fail('Expected a dot');
    this.at++;
    this.endLine();
    this.#builder.addQuad(subject, predicate, object, graph);
  }

  #objectTerm(): number {
    if (this.bytes[this.at] === QUOTE) return this.#literal();
    return this.isAtTripleTerm ? this.#tripleTerm() : this.#node(this.#object, 'an object');
  }

  #graphName(): number {
    if (this.#options.iriGraphs && this.bytes[this.at] === UNDERSCORE) {
      throw blankGraphError(positionOfByte(this.bytes, this.at));
    }
    return this.#node(this.#graph, 'a graph name or a dot');
  }

  #lineStart(): Position {
    return positionOfByte(this.bytes, this.bytes.lastIndexOf(LF, this.at - 1) + 1);
  }

  #node(recent: RecentIri, expected: string): number {
    const first = this.bytes[this.at];
    if (first === LESS) return this.#iri(recent);
    if (first === UNDERSCORE) return this.#blankNode();
    return this.fail(`Expected ${expected}`);
  }

  #iri(recent: RecentIri): number {
    const start = this.at;
    if (recent.standsAt(this.#view, start)) {
      this.at = start + recent.end - recent.start;
    } else {
      this.unusual = false;
      this.skipIri();
      recent.term = this.#intern(start);
    }
    recent.moveTo(start, this.at);
    return recent.term;
  }

  #literal(): number {
    const start = this.at;
    this.unusual = false;
    this.#skipLiteral();
    return this.#intern(start);
  }

  #skipLiteral(): void {
    this.skipString();
    const end = this.at;
    this.skipSpace();
    const next = this.bytes[this.at];
    const hasSpace = this.at > end;
    if (next === AT) this.skipLanguage();
    else if (next === CARET) this.skipDatatype();
    else this.at = end;
    if (hasSpace && this.at > end) this.unusual = true;
  }

  /** Returns the number of the IRI or literal from `start` to the present position. */
  #intern(start: number): number {
    const known = this.#builder.terms.count;
    if (this.unusual) return this.#internUnusual(start);
    const term = this.#terms.intern(this.bytes, start, this.at);
    if (term === known) this.#checkIri(start);
    return term;
  }

  #internUnusual(start: number): number {
    const text = decode(this.bytes, start, this.at);
    const term = canonicalTerm(text, this.#options.storedTerms);
    if (!term.ok) return this.failAt(start, term.error);
    const bytes = encoder.encode(term.text);
    return this.#terms.intern(bytes, 0, bytes.length);
  }

  /** Checks the IRI of a new term, or of its datatype. */
  #checkIri(start: number): void {
    const { bytes, at, iriStart } = this;
    if (bytes[at - 1] !== GREATER || this.#options.storedTerms) return;
    if (iriStart > start && this.#datatype.standsAt(this.#view, iriStart)) return;
    const isCorrect = this.plainIri ? isPlainIriIn : isIriIn;
    if (!isCorrect(bytes, iriStart + 1, at - 1)) {
      this.failAt(start, iriError(decode(bytes, iriStart + 1, at - 1))!);
    }
    if (iriStart > start) this.#datatype.moveTo(iriStart, at);
  }

  /** Reads a triple term. Only the object can be another one, so they form a chain. */
  #tripleTerm(): number {
    let text = '';
    let depth = 0;
    do {
      if (depth++ === MAX_TRIPLE_DEPTH) this.fail(`Nested deeper than ${MAX_TRIPLE_DEPTH} triple terms`);
      this.openTripleTerm();
      text += `<<( ${this.#innerNode('a subject')} `;
      this.skipSpace();
      if (this.bytes[this.at] !== LESS) this.fail('Expected a predicate');
      text += `${this.#innerTerm(this.at)} `;
      this.skipSpace();
    } while (this.isAtTripleTerm);
    text += this.bytes[this.at] === QUOTE ? this.#innerTerm(this.at) : this.#innerNode('an object');
    for (; depth > 0; depth--) {
      this.closeTripleTerm();
      text += ' )>>';
    }
    const bytes = encoder.encode(text);
    return this.#terms.intern(bytes, 0, bytes.length);
  }

  /** Reads an IRI or blank node in a triple term; returns its canonical form. */
  #innerNode(expected: string): string {
    const first = this.bytes[this.at];
    if (first === LESS) return this.#innerTerm(this.at);
    if (first !== UNDERSCORE) return this.fail(`Expected ${expected}`);
    const number = this.#blankNode();
    const { bytes, offsets } = this.#builder.terms;
    return decode(bytes, offsets[number]!, offsets[number + 1]!);
  }

  /** Reads an IRI or literal in a triple term; returns its canonical form. */
  #innerTerm(start: number): string {
    if (this.bytes[start] === LESS) this.skipIri();
    else this.#skipLiteral();
    const term = canonicalTerm(decode(this.bytes, start, this.at), this.#options.storedTerms);
    return term.ok ? withSmallTag(term.text) : this.failAt(start, term.error);
  }

  #blankNode(): number {
    const start = this.at;
    this.skipLabel();
    if (!this.#options.freshBlankNodes) return this.#terms.intern(this.bytes, start, this.at);
    this.#labels ??= new TermIndex(new TermArena(0, Number.POSITIVE_INFINITY));
    const label = this.#labels.intern(this.bytes, start, this.at);
    const known = this.#labelled[label];
    if (known !== undefined) return known;
    const term = addBlankNode(this.#builder.terms, label);
    this.#labelled[label] = term;
    return term;
  }
}

/**
 * The last IRI in a column, or of a datatype: usually the next one is the same, and then need not
 * be looked up or checked.
 */
class RecentIri {
  /** Offsets in the chunk that is being read, including brackets. */
  start = 0;
  end = 0;
  term = 0;

  forget(): void {
    this.end = this.start;
  }

  moveTo(start: number, end: number): void {
    this.start = start;
    this.end = end;
  }

  /**
   * Whether the same IRI is at an offset. Since it ends with a bracket, the IRI there cannot be
   * longer.
   */
  standsAt(view: DataView, offset: number): boolean {
    const { start, end } = this;
    const distance = offset - start;
    if (end + distance > view.byteLength) return false;
    // From the end, where IRIs differ most often; the first word may overlap the second.
    for (let at = end - WORD; at > start; at -= WORD) {
      if (view.getInt32(at) !== view.getInt32(at + distance)) return false;
    }
    return end > start && view.getInt32(start) === view.getInt32(offset);
  }
}
