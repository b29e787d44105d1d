import type { TermBytes } from '../../model/path-graph.ts';
import { QUAD_WORDS } from '../../model/quad-rows.ts';
import { RDF } from '../../model/term.ts';
import { NO_TERM, type TermId } from '../../model/term-id.ts';
import { innerTerms, isTripleTermAt } from '../../model/triple-term.ts';
import { ascii } from '../chunk-writer.ts';
import { NIL, termEquals } from './same-bytes.ts';

/** Number of nodes and lists within one another. Deeper ones have labels. */
export const MAX_DEPTH = 32;

const UNDERSCORE = 0x5f;
const NONE = -1;
const FIRST = ascii(`<${RDF}first>`);
const REST = ascii(`<${RDF}rest>`);

/** Quads in groups, as `serializeRdf` requires them. */
export interface Quads {
  readonly terms: TermBytes;
  /** For each quad: subject, predicate, object, graph. */
  readonly words: Uint32Array;
  /** Number of quads. */
  readonly count: number;
}

/**
 * The blank nodes that can be written in the place where they are the object, without a label. Such
 * a node is the object of one quad and the subject of others of the same graph, and occurs nowhere
 * else, nor in a triple term. Nodes that lead to one another in a circle have labels.
 *
 * A list is a chain of such nodes. Each has one value of `rdf:first`, one of `rdf:rest` and nothing
 * else, and the last value of `rdf:rest` is `rdf:nil`.
 *
 * Blank nodes that are subjects have numbers in the order of their quads, from 0.
 */
export class NestedNodes {
  /** Numbers of the first quad of each node, and of the one after its last. */
  readonly starts: readonly number[];
  readonly ends: readonly number[];
  /** By quad: the number of the node that is written in place of the object, or -1. */
  readonly children: Int32Array;
  /** By node: 1 if it is written in the place of an object. */
  readonly isNested: Uint8Array;
  /** By node: 1 if it begins or continues a list. */
  readonly isList: Uint8Array;
  readonly #quads: Quads;
  /** By node: the quad whose object it is. */
  readonly #parents: Int32Array;
  /** By quad: the node that is the subject, or -1. */
  readonly #nodes: Int32Array;
  /** By node: the quad with `rdf:rest` if it has the form of a list node, or -1. */
  readonly #rests: Int32Array;

  /** `nests`: which of these nodes are wanted. */
  constructor(quads: Quads, blank: BlankSubjects, nests: 'nodes' | 'lists') {
    this.#quads = quads;
    this.starts = blank.starts;
    this.ends = blank.ends;
    const count = blank.starts.length;
    this.isNested = new Uint8Array(count);
    this.isList = new Uint8Array(count);
    this.children = new Int32Array(quads.count).fill(NONE);
    this.#nodes = new Int32Array(quads.count).fill(NONE);
    this.#parents = new Int32Array(count);
    this.#rests = new Int32Array(count);
    this.#findParents(blank);
    this.#findLists();
    if (nests === 'lists') for (let i = 0; i < count; i++) this.isNested[i]! &= this.isList[i]!;
    this.#excludeCirclesAndDepth();
    for (let i = 0; i < count; i++) if (this.isNested[i] === 1) this.children[this.#parents[i]!] = i;
  }

  /** Returns the quad with the item of a list node. */
  itemOf(node: number): number {
    return 2 * this.starts[node]! + 1 - this.#rests[node]!;
  }

  /** Returns the next node of a list, or -1. */
  nextOf(node: number): number {
    return this.children[this.#rests[node]!]!;
  }

  #findParents({ numbers, graphNames }: BlankSubjects): void {
    const { words, count, terms } = this.#quads;
    const uses = new Uint8Array(this.starts.length);
    const inTripleTerms = new Set<TermId>();
    for (const graph of graphNames) {
      const node = numbers.get(graph) ?? NONE;
      if (node !== NONE) uses[node] = 2;
    }
    for (let quad = 0; quad < count; quad++) {
      const object = words[quad * QUAD_WORDS + 2]!;
      if (!isBlank(terms, object)) {
        if (isTripleTermAt(terms.bytes, terms.ends[object - 1]!)) inTripleTerms.add(object);
        continue;
      }
      const node = numbers.get(object) ?? NONE;
      if (node === NONE) continue;
      this.#parents[node] = quad;
      if (uses[node]! < 2) uses[node]!++;
    }
    for (const node of namedNodes(terms, inTripleTerms, numbers)) uses[node] = 2;
    for (let node = 0; node < uses.length; node++) {
      const start = this.starts[node]!;
      this.#nodes.fill(node, start, this.ends[node]!);
      const isKnown = numbers.get(words[start * QUAD_WORDS]!) === node;
      const isSame = this.#graphOf(start) === this.#graphOf(this.#parents[node]!);
      if (uses[node] === 1 && isKnown && isSame) this.isNested[node] = 1;
    }
  }

  #graphOf(quad: number): TermId {
    return this.#quads.words[quad * QUAD_WORDS + 3]!;
  }

  /** Follows each list from its end. */
  #findLists(): void {
    const { words, terms } = this.#quads;
    const count = this.starts.length;
    for (let node = 0; node < count; node++) this.#rests[node] = this.#restOf(node);
    for (let last = 0; last < count; last++) {
      const rest = this.#rests[last]!;
      if (rest === NONE || !termEquals(terms, words[rest * QUAD_WORDS + 2]!, NIL)) continue;
      let node = last;
      while (node !== NONE) {
        this.isList[node] = 1;
        node = this.#before(node);
      }
    }
  }

  #restOf(node: number): number {
    const { words, terms } = this.#quads;
    const start = this.starts[node]!;
    if (this.ends[node] !== start + 2) return NONE;
    const [one, other] = [words[start * QUAD_WORDS + 1]!, words[(start + 1) * QUAD_WORDS + 1]!];
    if (termEquals(terms, one, FIRST)) return termEquals(terms, other, REST) ? start + 1 : NONE;
    return termEquals(terms, one, REST) && termEquals(terms, other, FIRST) ? start : NONE;
  }

  /** Returns the list node whose rest a node is, if it can be written there; otherwise -1. */
  #before(node: number): number {
    if (this.isNested[node] === 0) return NONE;
    const quad = this.#parents[node]!;
    const subject = this.#nodes[quad]!;
    return subject !== NONE && this.#rests[subject] === quad ? subject : NONE;
  }

  #excludeCirclesAndDepth(): void {
    const depths = new Uint8Array(this.starts.length);
    const states = new Uint8Array(this.starts.length);
    const path: number[] = [];
    for (let first = 0; first < depths.length; first++) {
      let node = first;
      while (node !== NONE && this.isNested[node] === 1 && states[node] === UNSEEN) {
        states[node] = ON_PATH;
        path.push(node);
        node = this.#nodes[this.#parents[node]!]!;
      }
      if (node !== NONE && states[node] === ON_PATH) this.#openCircle(path, node);
      for (let next = path.pop(); next !== undefined; next = path.pop()) {
        states[next] = DONE;
        if (this.isNested[next] === 1) this.#measure(next, depths);
      }
    }
  }

  /** Gives labels to the nodes of a circle, which end the path. */
  #openCircle(path: readonly number[], node: number): void {
    for (let at = path.length - 1; ; at--) {
      this.isNested[path[at]!] = 0;
      if (path[at] === node) return;
    }
  }

  #measure(node: number, depths: Uint8Array): void {
    const parent = this.#nodes[this.#parents[node]!]!;
    const around = parent === NONE || this.isNested[parent] === 0 ? 0 : depths[parent]!;
    const isContinued = around > 0 && this.isList[node] === 1 && this.#before(node) !== NONE;
    depths[node] = isContinued ? around : around + 1;
    if (depths[node]! > MAX_DEPTH) this.isNested[node] = 0;
  }
}

const UNSEEN = 0;
const ON_PATH = 1;
const DONE = 2;

/** The blank nodes that are subjects. */
export interface BlankSubjects {
  readonly starts: readonly number[];
  readonly ends: readonly number[];
  /** -1 for a node with quads in several places. */
  readonly numbers: ReadonlyMap<TermId, number>;
  /** The names of graphs that are blank nodes. */
  readonly graphNames: ReadonlySet<TermId>;
}

/** Returns undefined if no subject is a blank node. */
export function findBlankSubjects({ words, count, terms }: Quads): BlankSubjects | undefined {
  const starts: number[] = [];
  const ends: number[] = [];
  const numbers = new Map<TermId, number>();
  const graphNames = new Set<TermId>();
  const length = count * QUAD_WORDS;
  let subject: TermId = NO_TERM;
  let graph: TermId = NO_TERM;
  for (let at = 0; at < length; at += QUAD_WORDS) {
    if (words[at] === subject && words[at + 3] === graph) continue;
    if (ends.length < starts.length) ends.push(at / QUAD_WORDS);
    subject = words[at]!;
    if (words[at + 3] !== graph) {
      graph = words[at + 3]!;
      if (graph !== NO_TERM && isBlank(terms, graph)) graphNames.add(graph);
    }
    if (!isBlank(terms, subject)) continue;
    numbers.set(subject, numbers.has(subject) ? NONE : starts.length);
    starts.push(at / QUAD_WORDS);
  }
  if (starts.length === 0) return undefined;
  if (ends.length < starts.length) ends.push(count);
  return { starts, ends, numbers, graphNames };
}

/** Returns the nodes that triple terms name. */
function namedNodes(
  terms: TermBytes,
  tripleTerms: ReadonlySet<TermId>,
  numbers: BlankSubjects['numbers'],
): number[] {
  const labels = new Set<string>();
  for (const id of tripleTerms) {
    for (const term of innerTerms(textOf(terms, id))) if (term.startsWith('_:')) labels.add(term);
  }
  if (labels.size === 0) return [];
  return [...numbers].flatMap(([id, node]) => (node !== NONE && labels.has(textOf(terms, id)) ? [node] : []));
}

function textOf({ bytes, ends }: TermBytes, id: TermId): string {
  return Buffer.from(bytes.slice(ends[id - 1]!, ends[id]!)).toString();
}

function isBlank({ bytes, ends }: TermBytes, id: TermId): boolean {
  return bytes[ends[id - 1]!] === UNDERSCORE;
}
