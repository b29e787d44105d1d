/**
 * A `PathGraph` over a list of quads in ordinary memory. Built once, then immutable. Terms get ids
 * in the order of their first occurrence (subject, predicate, object, graph of each quad). The case
 * of language tags does not matter.
 */
import { ArenaTerms } from '../../src/rdf/model/arena-terms.ts';
import { withSmallTag } from '../../src/rdf/model/language/tag-case.ts';
import type { PathGraph } from '../../src/rdf/model/path-graph.ts';
import { NO_TERM, type TermId } from '../../src/rdf/model/term-id.ts';

/** Terms in canonical N-Triples form; without `graph` the quad is in the default graph. */
export interface TextQuad {
  readonly subject: string;
  readonly predicate: string;
  readonly object: string;
  readonly graph?: string;
}

export class ArrayGraph implements PathGraph {
  readonly terms: ArenaTerms;
  readonly #dictionary: Dictionary;
  readonly #quads: Uint32Array;
  readonly #bySubject: TripleIndex;
  readonly #byObject: TripleIndex;

  private constructor(dictionary: Dictionary, terms: ArenaTerms, quads: Uint32Array) {
    this.#dictionary = dictionary;
    this.terms = terms;
    this.#quads = quads;
    this.#bySubject = new TripleIndex(quads, SUBJECT, OBJECT, dictionary.texts.length);
    this.#byObject = new TripleIndex(quads, OBJECT, SUBJECT, dictionary.texts.length);
  }

  static of(quads: readonly TextQuad[]): ArrayGraph {
    const dictionary = new Dictionary();
    const ids = new Uint32Array(quads.length * 4);
    quads.forEach((quad, i) => {
      ids[i * 4 + SUBJECT] = dictionary.add(quad.subject);
      ids[i * 4 + PREDICATE] = dictionary.add(quad.predicate);
      ids[i * 4 + OBJECT] = dictionary.add(quad.object);
      ids[i * 4 + GRAPH] = quad.graph === undefined ? NO_TERM : dictionary.add(quad.graph);
    });
    return new ArrayGraph(dictionary, new ArenaTerms(dictionary.texts), ids);
  }

  find(text: string): TermId {
    return this.#dictionary.ids.get(withSmallTag(text)) ?? NO_TERM;
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
    if (this.#bySubject.holds(id) || this.#byObject.holds(id)) return true;
    for (let i = PREDICATE; i < this.#quads.length; i += 4) if (this.#quads[i] === id) return true;
    return false;
  }

  within(graphNames: readonly TermId[]): ArrayGraph {
    const names = new Set(graphNames.filter((name) => name > NO_TERM));
    const kept: number[] = [];
    for (let i = 0; i < this.#quads.length; i += 4) {
      if (names.has(this.#quads[i + GRAPH]!)) kept.push(...this.#quads.subarray(i, i + 4));
    }
    return new ArrayGraph(this.#dictionary, this.terms, Uint32Array.from(kept));
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
    const rows = sortedDistinctRows(quads, firstColumn, thirdColumn);
    this.#offsets = new Uint32Array(termCount + 1);
    this.#predicates = new Uint32Array(rows.length);
    this.#thirds = new Uint32Array(rows.length);
    rows.forEach((at, i) => {
      this.#predicates[i] = quads[at + PREDICATE]!;
      this.#thirds[i] = quads[at + thirdColumn]!;
      this.#offsets[quads[at + firstColumn]! + 1]! += 1;
    });
    for (let id = 1; id <= termCount; id++) this.#offsets[id]! += this.#offsets[id - 1]!;
  }

  holds(first: TermId): boolean {
    return first > NO_TERM && this.#offsets[first]! < this.#offsets[first + 1]!;
  }

  thirds(first: TermId, predicate: TermId, into: TermId[]): void {
    if (first <= NO_TERM) return;
    const end = this.#offsets[first + 1]!;
    for (let i = this.#offsets[first]!; i < end; i++) {
      if (this.#predicates[i] === predicate) into.push(this.#thirds[i]!);
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
    for (let i = this.#offsets[first]!; i < end; i++) {
      if (this.#predicates[i] === predicate && this.#thirds[i] === third) return true;
    }
    return false;
  }

  #slice(first: TermId): [number, number] {
    return [this.#offsets[first]!, this.#offsets[first + 1]!];
  }
}

function sortedDistinctRows(quads: Uint32Array, firstColumn: number, thirdColumn: number): number[] {
  const compare = (a: number, b: number) =>
    quads[a + firstColumn]! - quads[b + firstColumn]! ||
    quads[a + PREDICATE]! - quads[b + PREDICATE]! ||
    quads[a + thirdColumn]! - quads[b + thirdColumn]!;
  const rows = Array.from({ length: quads.length / 4 }, (_, i) => i * 4).sort(compare);
  return rows.filter((row, i) => i === 0 || compare(rows[i - 1]!, row) !== 0);
}

function pushSortedDistinct(ids: Uint32Array, into: TermId[]): void {
  for (const id of new Set(ids.slice().sort())) into.push(id);
}
