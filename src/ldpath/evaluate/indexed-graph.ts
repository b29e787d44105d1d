/**
 * A `PathGraph` over quads in ordinary memory. Built once, then immutable. Terms get ids in the
 * order of their first occurrence (subject, predicate, object, graph of each quad). The case of
 * language tags does not matter.
 */
import { ArenaTerms } from '../../rdf/model/arena-terms.ts';
import { withSmallTag } from '../../rdf/model/language/tag-case.ts';
import type { PathGraph } from '../../rdf/model/path-graph.ts';
import { NO_TERM, type TermId } from '../../rdf/model/term-id.ts';

/** Terms in canonical N-Triples form; without `graph` the quad is in the default graph. */
export interface TextQuad {
  readonly subject: string;
  readonly predicate: string;
  readonly object: string;
  readonly graph?: string;
}

export class IndexedGraph implements PathGraph {
  readonly terms: ArenaTerms;
  readonly #dictionary: Dictionary;
  readonly #quads: Uint32Array;
  readonly #bySubject: TripleIndex;
  readonly #byObject: TripleIndex;
  readonly #predicates = new Set<TermId>();

  private constructor(dictionary: Dictionary, terms: ArenaTerms, quads: Uint32Array) {
    this.#dictionary = dictionary;
    this.terms = terms;
    this.#quads = quads;
    this.#bySubject = new TripleIndex(quads, SUBJECT, OBJECT, dictionary.texts.length);
    this.#byObject = new TripleIndex(quads, OBJECT, SUBJECT, dictionary.texts.length);
    for (let i = PREDICATE; i < quads.length; i += 4) this.#predicates.add(quads[i]!);
  }

  static of(quads: Iterable<TextQuad>): IndexedGraph {
    const dictionary = new Dictionary();
    const ids: TermId[] = [];
    for (const { subject, predicate, object, graph } of quads) {
      ids.push(dictionary.add(subject), dictionary.add(predicate), dictionary.add(object));
      ids.push(graph === undefined ? NO_TERM : dictionary.add(graph));
    }
    return new IndexedGraph(dictionary, new ArenaTerms(dictionary.texts), Uint32Array.from(ids));
  }

  find(text: string): TermId {
    return this.#dictionary.ids.get(withSmallTag(text)) ?? NO_TERM;
  }

  shown(id: TermId): TermId {
    return id;
  }

  text(id: TermId): string {
    return this.#dictionary.texts[id]!;
  }

  objects(subject: TermId, predicate: TermId, into: TermId[]): void {
    this.#bySubject.thirds(subject, predicate, into);
  }

  objectsOfEach(list: TermId[], from: number, _to: number, predicate: TermId): number {
    this.objects(list[from]!, predicate, list);
    return from + 1;
  }

  allObjects(subject: TermId, into: TermId[]): void {
    this.#bySubject.allThirds(subject, into);
  }

  subjects(predicate: TermId, object: TermId, into: TermId[]): void {
    this.#byObject.thirds(object, predicate, into);
  }

  allSubjects(object: TermId, into: TermId[]): void {
    this.#byObject.allThirds(object, into);
  }

  predicates(subject: TermId, into: TermId[]): void {
    this.#bySubject.seconds(subject, into);
  }

  has(subject: TermId, predicate: TermId, object: TermId): boolean {
    return this.#bySubject.has(subject, predicate, object);
  }

  mentions(id: TermId): boolean {
    return this.#bySubject.holds(id) || this.#byObject.holds(id) || this.#predicates.has(id);
  }

  within(graphNames: readonly TermId[]): IndexedGraph {
    const names = new Set(graphNames.filter((name) => name > NO_TERM));
    const kept: number[] = [];
    for (let i = 0; i < this.#quads.length; i += 4) {
      if (names.has(this.#quads[i + GRAPH]!)) kept.push(...this.#quads.subarray(i, i + 4));
    }
    return new IndexedGraph(this.#dictionary, this.terms, Uint32Array.from(kept));
  }
}

const SUBJECT = 0;
const PREDICATE = 1;
const OBJECT = 2;
const GRAPH = 3;

class Dictionary {
  /** By text, with the language tag in lower case. */
  readonly ids = new Map<string, TermId>();
  /** By id; id 0 is not a term. */
  readonly texts: string[] = [''];

  add(text: string): TermId {
    const key = withSmallTag(text);
    const known = this.ids.get(key);
    if (known !== undefined) return known;
    const id = this.texts.push(text) - 1;
    this.ids.set(key, id);
    return id;
  }
}

/**
 * Distinct triples sorted by (first, predicate, third), with the slice of each `first` in an offset
 * array.
 */
class TripleIndex {
  readonly #offsets: Uint32Array;
  readonly #predicates: Uint32Array;
  readonly #thirds: Uint32Array;

  constructor(quads: Uint32Array, firstColumn: number, thirdColumn: number, termCount: number) {
    const rows = quads.length / 4;
    const starts = offsetsOf(quads, firstColumn, termCount);
    // Exact, since a `Map` holds at most 2^24 terms.
    const keys = new Float64Array(rows);
    const next = starts.slice();
    for (let i = 0; i < quads.length; i += 4) {
      keys[next[quads[i + firstColumn]!]!++] = quads[i + PREDICATE]! * termCount + quads[i + thirdColumn]!;
    }
    this.#offsets = new Uint32Array(termCount + 1);
    this.#predicates = new Uint32Array(rows);
    this.#thirds = new Uint32Array(rows);
    let to = 0;
    for (let first = 0; first < termCount; first++) {
      this.#offsets[first] = to;
      let last = -1;
      for (const key of keys.subarray(starts[first]!, starts[first + 1]!).sort()) {
        if (key === last) continue;
        last = key;
        this.#predicates[to] = Math.floor(key / termCount);
        this.#thirds[to++] = key % termCount;
      }
    }
    this.#offsets[termCount] = to;
  }

  holds(first: TermId): boolean {
    return first > NO_TERM && this.#offsets[first]! < this.#offsets[first + 1]!;
  }

  thirds(first: TermId, predicate: TermId, into: TermId[]): void {
    if (first <= NO_TERM) return;
    const end = this.#offsets[first + 1]!;
    for (let i = this.#start(first, predicate); i < end && this.#predicates[i] === predicate; i++) {
      into.push(this.#thirds[i]!);
    }
  }

  allThirds(first: TermId, into: TermId[]): void {
    if (first > NO_TERM) pushSortedDistinct(this.#thirds.subarray(...this.#slice(first)), into);
  }

  seconds(first: TermId, into: TermId[]): void {
    if (first > NO_TERM) pushSortedDistinct(this.#predicates.subarray(...this.#slice(first)), into);
  }

  has(first: TermId, predicate: TermId, third: TermId): boolean {
    if (first <= NO_TERM) return false;
    const end = this.#offsets[first + 1]!;
    for (let i = this.#start(first, predicate); i < end && this.#predicates[i] === predicate; i++) {
      if (this.#thirds[i] === third) return true;
    }
    return false;
  }

  /** Returns the position of the first triple with this predicate or a later one. */
  #start(first: TermId, predicate: TermId): number {
    let [low, high] = this.#slice(first);
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#predicates[middle]! < predicate) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #slice(first: TermId): [number, number] {
    return [this.#offsets[first]!, this.#offsets[first + 1]!];
  }
}

/**
 * Returns where the rows of each term of a column begin, in the order of ids; and the end of all.
 */
function offsetsOf(quads: Uint32Array, column: number, termCount: number): Uint32Array {
  const offsets = new Uint32Array(termCount + 1);
  for (let i = column; i < quads.length; i += 4) offsets[quads[i]! + 1]! += 1;
  for (let id = 1; id <= termCount; id++) offsets[id]! += offsets[id - 1]!;
  return offsets;
}

function pushSortedDistinct(ids: Uint32Array, into: TermId[]): void {
  for (const id of new Set(ids.slice().sort())) into.push(id);
}
