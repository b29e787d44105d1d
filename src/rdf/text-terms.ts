import { NO_GRAPH } from '../graph/quad-block.ts';
import { formatLiteral, XSD_STRING } from '../graph/term.ts';
import type { TermArena } from './term-arena.ts';

type TermType = 'NamedNode' | 'BlankNode' | 'Literal' | 'DefaultGraph';

const UNUSED = -1;

/** A term that a parser made; one object for each distinct term. Names are those that N3.js reads of a term. */
export class TermRef {
  readonly termType: TermType;
  readonly value: string;
  /** What follows the closing quote of a literal in canonical form. */
  readonly suffix: string;
  /** Number in the arena, given at the first use in a quad: a prefix or a datatype alone is no term. */
  index: number;
  /** Literals that have this IRI as their datatype, by their text. */
  literals: Map<string, TermRef> | undefined = undefined;

  constructor(termType: TermType, value: string, suffix = '', index = UNUSED) {
    this.termType = termType;
    this.value = value;
    this.suffix = suffix;
    this.index = index;
  }

  get id(): string {
    return this.value;
  }
}

export const defaultGraph = new TermRef('DefaultGraph', '', '', NO_GRAPH);

/** Tells apart terms that are given as text, and numbers those that quads use. */
export class TextTerms {
  readonly #arena: TermArena;
  readonly #checkIri: (iri: string) => void;
  readonly #iris = new Map<string, TermRef>();
  readonly #labels = new Map<string, TermRef>();
  readonly #strings = new Map<string, TermRef>();
  readonly #tagged = new Map<string, Map<string, TermRef>>();
  #blankNodes = 0;

  /** `checkIri` is called with each distinct IRI and throws when it is not valid. */
  constructor(arena: TermArena, checkIri: (iri: string) => void) {
    this.#arena = arena;
    this.#checkIri = checkIri;
  }

  iri(value: string): TermRef {
    let term = this.#iris.get(value);
    if (term === undefined) {
      this.#checkIri(value);
      term = new TermRef('NamedNode', value);
      this.#iris.set(value, term);
    }
    return term;
  }

  /** The blank node of a label; one of its own when there is no label. */
  blankNode(label?: string): TermRef {
    let term = label === undefined ? undefined : this.#labels.get(label);
    if (term === undefined) {
      term = new TermRef('BlankNode', label ?? '');
      if (label !== undefined) this.#labels.set(label, term);
    }
    return term;
  }

  string(value: string): TermRef {
    return literalIn(this.#strings, value, '');
  }

  tagged(value: string, language: string): TermRef {
    const tag = language.toLowerCase();
    let literals = this.#tagged.get(tag);
    if (literals === undefined) {
      literals = new Map();
      this.#tagged.set(tag, literals);
    }
    return literalIn(literals, value, `@${tag}`);
  }

  typed(value: string, datatype: TermRef): TermRef {
    if (datatype.value === XSD_STRING) return this.string(value);
    datatype.literals ??= new Map();
    return literalIn(datatype.literals, value, `^^<${datatype.value}>`);
  }

  /** The number of a term in the arena, where it is put at its first use. */
  indexOf(term: TermRef): number {
    if (term.index === UNUSED) term.index = this.#add(term);
    return term.index;
  }

  #add(term: TermRef): number {
    const { termType, value, suffix } = term;
    if (termType === 'NamedNode') return this.#addPlain('<', value, '>') ?? this.#arena.addText(`<${value}>`);
    if (termType === 'BlankNode') return this.#arena.addText(`_:${this.#blankNodes++}`);
    const plain = this.#addPlain('"', value, `"${suffix}`);
    return plain ?? this.#arena.addText(formatLiteral(value, XSD_STRING, '') + suffix);
  }

  /**
   * Adds a term whose text is ASCII without anything to escape, as most are, much quicker than an encoder
   * would; undefined when it is not.
   */
  #addPlain(before: string, value: string, after: string): number | undefined {
    const arena = this.#arena;
    arena.reserve(before.length + value.length + after.length);
    const start = writeAscii(before, arena.bytes, arena.length);
    const middle = writePlain(value, arena.bytes, start);
    if (middle < 0) return undefined;
    return arena.close(writeAscii(after, arena.bytes, middle));
  }
}

function literalIn(literals: Map<string, TermRef>, value: string, suffix: string): TermRef {
  let term = literals.get(value);
  if (term === undefined) {
    term = new TermRef('Literal', value, suffix);
    literals.set(value, term);
  }
  return term;
}

/** Writes text that is known to be ASCII; gives the end. */
function writeAscii(text: string, target: Uint8Array, start: number): number {
  for (let at = 0; at < text.length; at++) target[start + at] = text.charCodeAt(at);
  return start + text.length;
}

/** Writes text without characters to escape or to encode; gives the end, or -1 when there is one. */
function writePlain(text: string, target: Uint8Array, start: number): number {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x20 || code > 0x7e || code === 0x22 || code === 0x5c) return -1;
    target[start + at] = code;
  }
  return start + text.length;
}
