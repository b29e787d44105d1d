import { addBlankNode } from '../formats/blank-labels.ts';
import type { UnfoldingBudget } from '../formats/unfolding-budget.ts';
import { iriError, isIri, isIriIn } from '../model/iri.ts';
import { withSmallTag } from '../model/language/tag-case.ts';
import { NO_GRAPH } from '../model/quad-block.ts';
import { formatLiteral, XSD_STRING } from '../model/term.ts';
import { MAX_TRIPLE_DEPTH } from '../model/triple-term.ts';
import type { TermArena } from './term-arena.ts';
import { TermIndex } from './term-index.ts';

type TermType = 'NamedNode' | 'BlankNode' | 'Literal' | 'DefaultGraph' | 'Quad';

const UNUSED = -1;

/** A term that a parser created. The names of the fields are those that N3.js reads of a term. */
export class TermRef {
  readonly termType: TermType;
  /** IRI, label (empty for a blank node without one), or text of a literal. */
  readonly value: string;
  /** IRI of a literal's datatype, or its language after an `@`; empty for a string. */
  readonly kind: string;
  /**
   * Number in the arena, assigned at the first use in a quad: a prefix or a datatype alone is not a
   * term.
   */
  index: number;

  constructor(termType: TermType, value: string, kind: string, index = UNUSED) {
    this.termType = termType;
    this.value = value;
    this.kind = kind;
    this.index = index;
  }

  get id(): string {
    return this.value;
  }
}

export const defaultGraph = new TermRef('DefaultGraph', '', '', NO_GRAPH);

/** A triple, or a triple term, that a parser created. */
export class TripleRef extends TermRef {
  subject = defaultGraph;
  predicate = defaultGraph;
  object = defaultGraph;
  graph = defaultGraph;

  constructor() {
    super('Quad', '', '');
  }
}

export function iriTerm(value: string): TermRef {
  return new TermRef('NamedNode', value, '');
}

/** Returns the blank node of a label; without a label, a new one. */
export function blankTerm(label = ''): TermRef {
  return new TermRef('BlankNode', label, '');
}

/** `tag`: a language, perhaps with a direction: `en` or `en--ltr`. */
export function taggedTerm(value: string, tag: string): TermRef {
  return new TermRef('Literal', value, `@${tag}`);
}

export function typedTerm(value: string, datatype: string = XSD_STRING): TermRef {
  return new TermRef('Literal', value, datatype === XSD_STRING ? '' : datatype);
}

/** Texts of up to this many characters are written faster by a loop than by a call of Node.js. */
const SHORT = 128;

const encoder = new TextEncoder();

/** Numbers terms that are given as strings. */
export class TextTerms {
  readonly #arena: TermArena;
  readonly #index: TermIndex;
  readonly #reject: (error: string | undefined) => void;
  readonly #budget: UnfoldingBudget;
  readonly #labels = new Map<string, number>();
  #blankNodes = 0;
  #checkedKind = '';
  /** Memory in which the canonical form of a term is assembled. */
  #scratch = Buffer.alloc(1024);

  /** `reject` is called with the error of a term, and must throw. */
  constructor(arena: TermArena, budget: UnfoldingBudget, reject: (error: string | undefined) => void) {
    this.#arena = arena;
    this.#index = new TermIndex(arena);
    this.#reject = reject;
    this.#budget = budget;
  }

  /** Returns the number of a term in the arena, to which it is added at its first use. */
  indexOf(term: TermRef): number {
    if (term.index === UNUSED) term.index = this.#number(term);
    return term.index;
  }

  #number(term: TermRef): number {
    switch (term.termType) {
      case 'NamedNode':
        return this.#iri(term.value);
      case 'BlankNode':
        return this.#blankNode(term.value);
      case 'Quad':
        return this.#encoded(this.#tripleText(term as TripleRef));
      default:
        return this.#literal(term.value, term.kind);
    }
  }

  /** Returns the canonical form of a triple term. Only the object can be one. */
  #tripleText(term: TripleRef): string {
    let text = '';
    let depth = 0;
    let inner: TermRef = term;
    for (; inner instanceof TripleRef; inner = inner.object) {
      text += `<<( ${this.#innerText(inner.subject)} ${this.#innerText(inner.predicate)} `;
      if (++depth > MAX_TRIPLE_DEPTH) this.#reject(`Nested deeper than ${MAX_TRIPLE_DEPTH} triple terms`);
    }
    text += this.#innerText(inner) + ' )>>'.repeat(depth);
    this.#budget.spend(text.length);
    return text;
  }

  /** Returns the canonical form of an IRI, a blank node or a literal in a triple term. */
  #innerText(term: TermRef): string {
    const { termType, value, kind } = term;
    if (termType === 'BlankNode') {
      const number = this.indexOf(term);
      const { bytes, offsets } = this.#arena;
      return Buffer.from(bytes.subarray(offsets[number], offsets[number + 1])).toString();
    }
    if (termType === 'NamedNode') {
      if (!isIri(value)) this.#reject(iriError(value));
      return `<${value}>`;
    }
    this.#checkKind(kind);
    return withSmallTag(formatLiteral(value, XSD_STRING, '') + suffixOf(kind));
  }

  #iri(value: string): number {
    const known = this.#arena.count;
    this.#reserve(value.length);
    const scratch = this.#scratch;
    scratch[0] = LESS;
    const end = this.#write(value, 1);
    scratch[end] = GREATER;
    const number = this.#index.intern(scratch, 0, end + 1);
    if (number === known && !isIriIn(scratch, 1, end)) this.#reject(iriError(value));
    return number;
  }

  #blankNode(label: string): number {
    const known = label === '' ? undefined : this.#labels.get(label);
    if (known !== undefined) return known;
    const number = addBlankNode(this.#arena, this.#blankNodes++);
    if (label !== '') this.#labels.set(label, number);
    return number;
  }

  #literal(value: string, kind: string): number {
    const known = this.#arena.count;
    const number = this.#internLiteral(value, kind);
    // Consecutive literals often have the same datatype.
    if (number === known && kind !== this.#checkedKind) this.#checkKind(kind);
    return number;
  }

  #checkKind(kind: string): void {
    if (kind !== '' && !kind.startsWith('@') && !isIri(kind)) this.#reject(iriError(kind));
    this.#checkedKind = kind;
  }

  #internLiteral(value: string, kind: string): number {
    this.#reserve(value.length + kind.length);
    const scratch = this.#scratch;
    scratch[0] = QUOTE;
    let end = this.#write(value, 1);
    if (hasEscapes(scratch, 1, end))
      return this.#encoded(formatLiteral(value, XSD_STRING, '') + suffixOf(kind));
    scratch[end++] = QUOTE;
    if (kind !== '') end = this.#write(suffixOf(kind), end);
    return this.#index.intern(scratch, 0, end);
  }

  /** Writes a text into the scratch memory, which must have room for it; returns its end. */
  #write(text: string, at: number): number {
    const isShort = text.length <= SHORT && writeAscii(text, this.#scratch, at);
    return at + (isShort ? text.length : this.#scratch.write(text, at));
  }

  #encoded(text: string): number {
    const bytes = encoder.encode(text);
    return this.#index.intern(bytes, 0, bytes.length);
  }

  /** Makes room for that many characters, and for a few bytes around them. */
  #reserve(characters: number): void {
    this.#budget.spend(characters);
    const size = 3 * characters + 8;
    if (size > this.#scratch.length) this.#scratch = Buffer.alloc(2 * size);
  }
}

/** Returns whether the text was all ASCII; otherwise it is not written. */
function writeAscii(text: string, into: Uint8Array, at: number): boolean {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit > 0x7f) return false;
    into[at + i] = unit;
  }
  return true;
}

function suffixOf(kind: string): string {
  return kind === '' || kind.startsWith('@') ? kind : `^^<${kind}>`;
}

const QUOTE = 0x22;
const LESS = 0x3c;
const GREATER = 0x3e;
const BACKSLASH = 0x5c;
const DELETE = 0x7f;

/** Whether the canonical form of the string has escapes. */
function hasEscapes(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const byte = bytes[at]!;
    if (byte < 0x20 || byte === QUOTE || byte === BACKSLASH || byte === DELETE) return true;
  }
  return false;
}
