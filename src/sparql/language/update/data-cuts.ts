import { AppError } from '../../../errors.ts';
import type { SparqlToken } from '../token.ts';
import { tokensOf } from '../tokens.ts';
import { syntaxError } from './syntax-error.ts';

/** The text between the braces of an `INSERT DATA` or `DELETE DATA`. */
export interface DataCut {
  readonly verb: 'INSERT' | 'DELETE';
  /** Ranges of triples of one graph each, in order. */
  readonly runs: readonly DataRun[];
  readonly prefixes: ReadonlySet<string>;
  /** The offset of the data in the text from which they were cut. */
  readonly at: number;
}

export interface DataRun {
  /** As written; undefined for triples without a graph. */
  readonly graph: string | undefined;
  /** Offsets in the text. */
  readonly start: number;
  readonly end: number;
  /** `TRUE` and the like, in order; TriG knows them in lower case alone. */
  readonly capitals: readonly SparqlToken[];
}

export interface CutUpdate {
  /** The text without the data. Everything else keeps its line and column. */
  readonly text: string;
  readonly cuts: readonly DataCut[];
}

/** The most characters of an update besides its data. */
const MAX_REST = 4 * 1024 * 1024;

/**
 * Cuts the data out of an update; they are most of a long update. A syntax tree of them would take
 * a second for three megabytes, and a hundred bytes of memory for each of their bytes. Errors:
 * `parse-error` for a label in the data of two operations, `too-large`.
 */
export function cutData(source: string): CutUpdate {
  const scan = new Scan(source);
  for (const token of tokensOf(source)) scan.take(token);
  return scan.finish();
}

class Scan {
  readonly #source: string;
  readonly #cuts: DataCut[] = [];
  readonly #pieces: string[] = [];
  /** The offset from which the text is not in a piece yet. */
  #from = 0;
  /** Characters that are not data. */
  #kept = 0;
  /** The total length of the pieces. */
  #length = 0;
  #depth = 0;
  #words: readonly [string, string] = ['', ''];
  #block: OpenBlock | undefined;
  /** By label: the block of data that contains it. */
  readonly #labels = new Map<string, OpenBlock>();

  constructor(source: string) {
    this.#source = source;
  }

  take(token: SparqlToken): void {
    if (this.#block) this.#takeData(this.#block, token);
    else if (token.text === '{' && token.kind === 'symbol') this.#open(token);
    else if (token.text === '}' && token.kind === 'symbol') this.#depth--;
    const word = token.kind === 'word' ? token.text.toUpperCase() : '';
    this.#words = [this.#words[1], word];
  }

  finish(): CutUpdate {
    if (this.#block) throw syntaxError('Unexpected end of the text', this.#source, this.#source.length);
    this.#keep(this.#source.length);
    if (this.#kept > MAX_REST) {
      throw new AppError('too-large', `Besides its data, an update can have at most ${MAX_REST} characters.`);
    }
    return { text: this.#pieces.join(''), cuts: this.#cuts };
  }

  #keep(end: number): void {
    this.#push(this.#source.slice(this.#from, end));
    this.#kept += end - this.#from;
    this.#from = end;
  }

  #push(piece: string): void {
    this.#pieces.push(piece);
    this.#length += piece.length;
  }

  #open({ start }: SparqlToken): void {
    const [verb, data] = this.#words;
    const isData = this.#depth === 0 && data === 'DATA' && (verb === 'INSERT' || verb === 'DELETE');
    if (!isData) {
      this.#depth++;
      return;
    }
    this.#block = new OpenBlock(verb, start + 1);
    this.#keep(start + 1);
  }

  #takeData(block: OpenBlock, token: SparqlToken): void {
    if (!block.allows(token)) throw this.#unexpected(token);
    if (token.kind === 'label') this.#checkLabel(block, token);
    if (!block.take(token)) return;
    const { verb, runs, prefixes } = block;
    this.#cuts.push({ verb, runs, prefixes, at: this.#length });
    this.#push(blank(this.#source.slice(this.#from, token.start)));
    this.#from = token.start;
    this.#block = undefined;
  }

  #unexpected({ text, start }: SparqlToken): AppError {
    return syntaxError(`Unexpected '${text.slice(0, 40)}'`, this.#source, start);
  }

  #checkLabel(block: OpenBlock, token: SparqlToken): void {
    const { text, start } = token;
    if (block.verb === 'DELETE') throw this.#unexpected(token);
    const before = this.#labels.get(text);
    if (before && before !== block) {
      throw syntaxError(`The label '${text}' is in the data of two operations`, this.#source, start);
    }
    this.#labels.set(text, block);
  }
}

/** A block of data that is being scanned. */
class OpenBlock {
  readonly verb: 'INSERT' | 'DELETE';
  readonly runs: DataRun[] = [];
  readonly prefixes = new Set<string>();
  #start: number;
  /** Booleans in capitals in the current run. */
  #capitals: SparqlToken[] = [];
  /** The text after GRAPH, from its first token on. */
  #graph: string | undefined;
  #inGraph = false;
  #afterGraph = false;
  #afterString = false;

  constructor(verb: 'INSERT' | 'DELETE', start: number) {
    this.verb = verb;
    this.#start = start;
  }

  /**
   * Returns false for constructs that TriG allows here and SPARQL does not: other graph names, and
   * declarations.
   */
  allows({ kind, text }: SparqlToken): boolean {
    const isNaming = this.#graph !== undefined && !this.#inGraph;
    if (isNaming) return this.#graph === '' ? kind === 'iri' || kind === 'name' : text === '{';
    if (kind === 'language') return this.#afterString;
    return kind !== 'word' || !/^(?:PREFIX|BASE|VERSION)$/i.test(text);
  }

  /** Whether the token is the brace that ends the block. */
  take(token: SparqlToken): boolean {
    const { kind, text, start } = token;
    const symbol = kind === 'symbol' ? text : '';
    this.#afterString = kind === 'string';
    if (kind === 'name') this.prefixes.add(text.slice(0, text.indexOf(':')));
    if (isBoolean(token) && text !== text.toLowerCase()) this.#capitals.push(token);
    if (this.#afterGraph && symbol === '.') this.#start = start + 1;
    this.#afterGraph = false;
    if (symbol === '}') return this.#close(start);
    if (this.#inGraph) return false;
    if (kind === 'word' && text.toUpperCase() === 'GRAPH') {
      this.#end(start);
      this.#graph = '';
    } else if (symbol === '{' && this.#graph !== undefined) {
      this.#inGraph = true;
      this.#start = start + 1;
    } else if (this.#graph !== undefined) this.#graph += text;
    return false;
  }

  #close(start: number): boolean {
    this.#end(start);
    if (!this.#inGraph) return true;
    this.#inGraph = false;
    this.#graph = undefined;
    this.#start = start + 1;
    this.#afterGraph = true;
    return false;
  }

  #end(end: number): void {
    this.runs.push({ graph: this.#graph, start: this.#start, end, capitals: this.#capitals });
    this.#capitals = [];
  }
}

function isBoolean({ kind, text }: SparqlToken): boolean {
  return kind === 'word' && /^(?:true|false)$/i.test(text);
}

/** Returns white space with the same number of lines and the same length of the last one. */
function blank(text: string): string {
  const last = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1;
  return text.slice(0, last).replaceAll(/[^\r\n]+/g, '') + ' '.repeat(text.length - last);
}
