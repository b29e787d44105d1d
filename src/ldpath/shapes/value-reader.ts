import { parseTerm, XSD, XSD_STRING } from '../../rdf/model/term.ts';
import { NO_TERM, type TermId } from '../../rdf/model/term-id.ts';
import { isTripleTermAt } from '../../rdf/model/triple-term.ts';
import { transformTerm } from '../compile/transformers.ts';
import type { EvaluationContext } from '../evaluate/context.ts';
import { OTHER, type ValueClass, valueClassOf } from './datatypes.ts';
import { endOfDigits, isShortNumber } from './digits.ts';
import { INTEGERS, STRINGS } from './value-mode.ts';

export const IRI = 0;
export const BLANK = 1;
export const STRING = 2;
export const LANGUAGE = 3;
export const TYPED = 4;
/** A triple term, whose text is its N-Triples. */
export const TRIPLE = 5;

type Kind = 0 | 1 | 2 | 3 | 4 | 5;

const encoder = new TextEncoder();

/**
 * Reads terms one after another for the shapes, without strings where the term is in the graph. Its
 * members describe the last term that was read.
 */
export class ValueReader {
  kind: Kind = IRI;
  /** The text, `bytes[from .. to)`: UTF-8 that is valid as the content of a JSON string. */
  bytes: Uint8Array = new Uint8Array(0);
  from = 0;
  to = 0;
  /** A language, perhaps with a direction, or the IRI of a datatype: `tag[tagFrom .. tagTo)`. */
  tag: Uint8Array = this.bytes;
  tagFrom = 0;
  tagTo = 0;

  /** Of a typed literal. */
  get valueClass(): ValueClass {
    return this.kind === TYPED ? valueClassOf(this.tag, this.tagFrom, this.tagTo) : OTHER;
  }

  /** Reads a term. */
  read(context: EvaluationContext, id: TermId): void {
    if (id < NO_TERM) {
      this.#readText(context.text(id));
      return;
    }
    const { terms } = context.graph;
    const start = terms.start(id);
    const end = terms.end(id);
    if (isTripleTermAt(terms.bytes, start)) this.#readText(context.text(id));
    else this.#readBytes(terms.bytes, start, end);
  }

  /** Reads the conversion of a term; returns false if it does not convert. */
  readAs(type: ConvertedType, context: EvaluationContext, id: TermId): boolean {
    if (id > NO_TERM && this.#readUnchanged(type, context, id)) return true;
    const converted = transformTerm(context, type.iri, id);
    if (converted === NO_TERM) return false;
    this.read(context, converted);
    return true;
  }

  /** Reads a literal whose text the conversion leaves as it is; otherwise returns false. */
  #readUnchanged({ mode, bytes: type }: ConvertedType, context: EvaluationContext, id: TermId): boolean {
    if (mode === undefined) return false;
    const isString = mode === STRINGS;
    const { terms } = context.graph;
    const { bytes } = terms;
    const start = terms.start(id);
    if (bytes[start] !== QUOTE) return false;
    const close = isString ? lastQuote(bytes, terms.end(id)) : endOfDigits(bytes, start + 1);
    if (!isString && !isShortNumber(bytes, start + 1, close)) return false;
    this.kind = isString ? STRING : TYPED;
    this.#text(bytes, start + 1, close);
    this.#tag(type, 0, type.length);
    return true;
  }

  #readBytes(bytes: Uint8Array, start: number, end: number): void {
    switch (bytes[start]) {
      case LESS_THAN:
        this.kind = IRI;
        this.#text(bytes, start + 1, end - 1);
        break;
      case UNDERSCORE:
        this.kind = BLANK;
        this.#text(bytes, start, end);
        break;
      default:
        this.#readLiteral(bytes, start, end);
    }
  }

  /** `"value"`, `"value"@lang` or `"value"^^<datatype>`: the last quote ends the value. */
  #readLiteral(bytes: Uint8Array, start: number, end: number): void {
    const close = lastQuote(bytes, end);
    this.#text(bytes, start + 1, close);
    if (close === end - 1) {
      this.kind = STRING;
    } else if (bytes[close + 1] === AT) {
      this.kind = LANGUAGE;
      this.#tag(bytes, close + 2, end);
    } else {
      this.kind = TYPED;
      this.#tag(bytes, close + 4, end - 1);
    }
  }

  /**
   * Reads a triple term, or a term that is not in the graph. Of the latter only an IRI can contain
   * what JSON must escape, because start nodes come from the client.
   */
  #readText(text: string): void {
    const term = parseTerm(text);
    if (term.kind === 'literal') {
      const bytes = encoder.encode(text);
      this.#readLiteral(bytes, 0, bytes.length);
      return;
    }
    this.kind = term.kind === 'triple' ? TRIPLE : term.kind === 'blank' ? BLANK : IRI;
    const value = term.kind === 'blank' ? text : term.value;
    const content = encoder.encode(JSON.stringify(value).slice(1, -1));
    this.#text(content, 0, content.length);
  }

  #text(bytes: Uint8Array, from: number, to: number): void {
    this.bytes = bytes;
    this.from = from;
    this.to = to;
  }

  #tag(bytes: Uint8Array, from: number, to: number): void {
    this.tag = bytes;
    this.tagFrom = from;
    this.tagTo = to;
  }
}

/** The type to which the values of a field are converted. */
export interface ConvertedType {
  readonly iri: string;
  /** The same in UTF-8. */
  readonly bytes: Uint8Array;
  /** Undefined if the bytes of a term never suffice to determine its conversion. */
  readonly mode: typeof STRINGS | typeof INTEGERS | undefined;
}

export function convertedType(iri: string): ConvertedType {
  const isInteger = ['integer', 'long', 'int'].some((name) => iri === XSD + name);
  const mode = iri === XSD_STRING ? STRINGS : isInteger ? INTEGERS : undefined;
  return { iri, bytes: encoder.encode(iri), mode };
}

function lastQuote(bytes: Uint8Array, end: number): number {
  let at = end - 1;
  while (bytes[at] !== QUOTE) at--;
  return at;
}

const QUOTE = 0x22;
const AT = 0x40;
const LESS_THAN = 0x3c;
const UNDERSCORE = 0x5f;
