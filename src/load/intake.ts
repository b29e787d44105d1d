import { fromErrorData } from '../errors.ts';
import { NO_GRAPH, type QuadBlock } from '../rdf/model/quad-block.ts';
import { NO_TERM, type TermId } from '../rdf/model/term-id.ts';
import { hasInnerBlankNodes, isTripleTermAt, withInnerBlankNodes } from '../rdf/model/triple-term.ts';
import { DictionaryWriter } from '../snapshot/dictionary/term-writer.ts';
import { blankGraphError } from '../store/graphs/blank-graphs.ts';
import { RowList } from './row-list.ts';

const UNDERSCORE = 0x5f;

/** Adds parsed quads: their terms to the dictionary, and rows of ids to a list. */
export class Intake {
  readonly rows = new RowList();
  readonly #dictionary: DictionaryWriter;
  readonly #requireWritable: (graph: TermId) => void;
  readonly #writable = new Set<TermId>();
  /** Labels of the file's blank nodes. */
  #labels = new DictionaryWriter();
  #blankPrefix = '';
  #graph = '';
  #graphId: TermId = NO_TERM;
  #start = { rows: 0, terms: 0 };

  /** `requireWritable` throws for a graph that must not be loaded. */
  constructor(dictionary: DictionaryWriter, requireWritable: (graph: TermId) => void) {
    this.#dictionary = dictionary;
    this.#requireWritable = requireWritable;
  }

  /**
   * `blankPrefix`: the beginning of the labels of the file's blank nodes. It must never have been
   * used before.
   */
  beginFile(graph: string, blankPrefix: string): void {
    this.#labels = new DictionaryWriter();
    this.#blankPrefix = blankPrefix;
    this.#graph = graph;
    this.#graphId = NO_TERM;
    this.#start = { rows: this.rows.length, terms: this.#dictionary.termCount };
  }

  /** Removes everything that was added since `beginFile`. */
  dropFile(): void {
    this.rows.truncate(this.#start.rows);
    this.#dictionary.forget(this.#start.terms);
    this.#writable.clear();
  }

  /**
   * Adds a block of quads. Error `bad-term` for a graph named by a blank node, and those of
   * `requireWritable`.
   */
  take(block: QuadBlock): void {
    const error = blankGraphError(block);
    if (error) throw fromErrorData(error);
    const ids = this.#internAll(block);
    const { quads } = block;
    let last: TermId = NO_TERM;
    for (let i = 0; i < quads.length; i += 4) {
      const named = quads[i + 3]!;
      const graph = named === NO_GRAPH ? this.#defaultGraph() : ids[named]!;
      if (graph !== last) this.#require(graph);
      last = graph;
      this.rows.push(ids[quads[i]!]!, ids[quads[i + 1]!]!, ids[quads[i + 2]!]!, graph);
    }
  }

  /**
   * Returns the ids of the block's terms. Terms are in the block in the order of their first use,
   * so new ids are in that order too.
   */
  #internAll({ termBytes, termOffsets }: QuadBlock): Uint32Array {
    if (!hasBlankNodes(termBytes, termOffsets)) return this.#dictionary.internAll(termBytes, termOffsets);
    const ids = new Uint32Array(termOffsets.length - 1);
    for (let i = 0; i < ids.length; i++) {
      ids[i] = this.#intern(termBytes, termOffsets[i]!, termOffsets[i + 1]!);
    }
    return ids;
  }

  #intern(bytes: Uint8Array, from: number, to: number): TermId {
    if (bytes[from] === UNDERSCORE) {
      return this.#dictionary.internText(this.#labelOf(this.#labels.intern(bytes, from, to)));
    }
    if (isTripleTermAt(bytes, from) && hasInnerBlankNodes(bytes, from, to)) {
      const text = Buffer.from(bytes.subarray(from, to)).toString();
      const relabelled = withInnerBlankNodes(text, (label) => this.#labelOf(this.#labels.internText(label)));
      return this.#dictionary.internText(relabelled);
    }
    return this.#dictionary.intern(bytes, from, to);
  }

  #labelOf(number: number): string {
    return `_:${this.#blankPrefix}${number.toString(36)}`;
  }

  #defaultGraph(): TermId {
    if (this.#graphId === NO_TERM) this.#graphId = this.#dictionary.internText(`<${this.#graph}>`);
    return this.#graphId;
  }

  #require(graph: TermId): void {
    if (this.#writable.has(graph)) return;
    this.#requireWritable(graph);
    this.#writable.add(graph);
  }
}

function hasBlankNodes(bytes: Uint8Array, offsets: Uint32Array): boolean {
  for (let i = 0; i < offsets.length - 1; i++) if (bytes[offsets[i]!] === UNDERSCORE) return true;
  return false;
}
