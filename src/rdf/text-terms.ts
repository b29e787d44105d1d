import { NO_GRAPH } from '../graph/quad-block.ts';
import { formatLiteral, XSD_STRING } from '../graph/term.ts';
import type { TermArena } from './term-arena.ts';
import { TermIndex } from './term-index.ts';

type TermType = 'NamedNode' | 'BlankNode' | 'Literal' | 'DefaultGraph';

const UNUSED = -1;

/** A term that a parser made. The names of the fields are those that N3.js reads of a term. */
export class TermRef {
  readonly termType: TermType;
  /** IRI, label (empty for a blank node without), or text of a literal. */
  readonly value: string;
  /** IRI of a literal's datatype, or its language behind an `@`; empty for a string. */
  readonly kind: string;
  /** Number in the arena, given at the first use in a quad: a prefix or a datatype alone is no term. */
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

export function iriTerm(value: string): TermRef {
  return new TermRef('NamedNode', value, '');
}

/** The blank node of a label; one of its own when there is no label. */
export function blankTerm(label = ''): TermRef {
  return new TermRef('BlankNode', label, '');
}

export function taggedTerm(value: string, language: string): TermRef {
  return new TermRef('Literal', value, `@${language.toLowerCase()}`);
}

export function typedTerm(value: string, datatype: string = XSD_STRING): TermRef {
  return new TermRef('Literal', value, datatype === XSD_STRING ? '' : datatype);
}

const encoder = new TextEncoder();

/** Numbers terms that are given as text. */
export class TextTerms {
  readonly #arena: TermArena;
  readonly #index: TermIndex;
  readonly #checkIri: (iri: string) => void;
  readonly #labels = new Map<string, number>();
  #blankNodes = 0;
  /** Where the canonical form of a term is put together. */
  #scratch = new Uint8Array(1024);

  /** `checkIri` is called with each IRI that is new and throws when it is not valid. */
  constructor(arena: TermArena, checkIri: (iri: string) => void) {
    this.#arena = arena;
    this.#index = new TermIndex(arena);
    this.#checkIri = checkIri;
  }

  /** The number of a term in the arena, where it is put at its first use. */
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
      default:
        return this.#literal(term.value, term.kind);
    }
  }

  #iri(value: string): number {
    const known = this.#arena.count;
    const number = this.#plain('<', value, '>', '', '') ?? this.#encoded(`<${value}>`);
    if (number === known) this.#checkIri(value);
    return number;
  }

  #blankNode(label: string): number {
    const known = label === '' ? undefined : this.#labels.get(label);
    if (known !== undefined) return known;
    const number = this.#encoded(`_:${this.#blankNodes++}`);
    if (label !== '') this.#labels.set(label, number);
    return number;
  }

  #literal(value: string, kind: string): number {
    const typed = kind !== '' && kind.charCodeAt(0) !== AT;
    const plain = typed ? this.#plain('"', value, '"^^<', kind, '>') : this.#plain('"', value, '"', kind, '');
    if (plain !== undefined) return plain;
    const quoted = formatLiteral(value, XSD_STRING, '');
    return this.#encoded(typed ? `${quoted}^^<${kind}>` : quoted + kind);
  }

  #encoded(text: string): number {
    const bytes = encoder.encode(text);
    return this.#index.intern(bytes, 0, bytes.length);
  }

  /**
   * Numbers a term whose text is ASCII without anything to escape, as most are, much quicker than an encoder
   * would; undefined when it is not.
   */
  #plain(open: string, value: string, middle: string, kind: string, close: string): number | undefined {
    const size = open.length + value.length + middle.length + kind.length + close.length;
    if (size > this.#scratch.length) this.#scratch = new Uint8Array(2 * size);
    const scratch = this.#scratch;
    let end = writePlain(value, scratch, writeAscii(open, scratch, 0));
    if (end >= 0) end = writePlain(kind, scratch, writeAscii(middle, scratch, end));
    return end < 0 ? undefined : this.#index.intern(scratch, 0, writeAscii(close, scratch, end));
  }
}

const AT = 0x40;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Writes text that is known to be ASCII; gives the end. */
function writeAscii(text: string, target: Uint8Array, start: number): number {
  for (let at = 0; at < text.length; at++) target[start + at] = text.charCodeAt(at);
  return start + text.length;
}

/** Writes text without characters to escape or to encode; gives the end, or -1 when there is one. */
function writePlain(text: string, target: Uint8Array, start: number): number {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x20 || code > 0x7e || code === QUOTE || code === BACKSLASH) return -1;
    target[start + at] = code;
  }
  return start + text.length;
}
