import type { PathGraph } from '../../rdf/model/path-graph.ts';
import { NO_TERM, type TermId } from '../../rdf/model/term-id.ts';
import type { EvaluationContext } from '../evaluate/context.ts';
import type { SourceText } from '../syntax/source-text.ts';
import { NodeTable, type TracedNode, textLength, tracedNode } from './node-table.ts';
import { Quota } from './quota.ts';
import type { Trace, TraceLimits } from './trace.ts';
import type { TracedPlace } from './traced-place.ts';
import { type Ends, type RecordedEdge, usedEdges } from './used-edges.ts';
import type { WalkOrder } from './walk-order.ts';

/** UTF-16 code units of all texts of a trace. */
const MAX_TEXT = 1024 * 1024;

interface RecordedField extends Ends {
  readonly name: string;
  readonly order: WalkOrder | undefined;
  readonly results: Set<number>;
  readonly inputs: Set<number>;
  readonly nodes: number[];
  readonly values: TracedNode[];
}

interface Current {
  readonly place: TracedPlace;
  /** The node at which it began. */
  readonly node: TermId;
}

/**
 * Records the triples that an evaluation reads, and what it selects. The evaluation uses a
 * `TracingGraph`, and its program was compiled with a `TracingScope`.
 */
export class Recorder {
  readonly #graph: PathGraph;
  readonly #limits: TraceLimits;
  readonly #table = new NodeTable();
  readonly #edges: RecordedEdge[] = [];
  /** What distinguishes the edges. */
  readonly #seen = new Set<string>();
  /** The places that have read triples, with their indexes in the trace. */
  readonly #places = new Map<TracedPlace, number>();
  /** All places of the program. */
  #placeCount = 0;
  /** The places for whose triples there is no room any more. */
  readonly #closed = new Set<TracedPlace>();
  readonly #fields = new Map<string, RecordedField>();
  #current: Current | undefined;
  /** Nodes and values that the lists of the fields may still get. */
  #listRoom: number;
  #textLeft = MAX_TEXT;
  #nodeQuota = new Quota(0, 0);
  #edgeQuota = new Quota(0, 0);
  #truncated = false;

  constructor(graph: PathGraph, limits: TraceLimits) {
    this.#graph = graph;
    this.#limits = limits;
    this.#listRoom = limits.edges;
  }

  /** Whether more triples can be recorded now. */
  get wants(): boolean {
    return this.#current !== undefined && !this.#closed.has(this.#current.place);
  }

  /** Whether the present construct looks for each of its triples. */
  get asksForEach(): boolean {
    return this.#current?.place.reading === 'excepted';
  }

  /**
   * Whether an edge to a node can be recorded now. If not, the trace counts as truncated, so call
   * it only for nodes with an edge.
   */
  hasRoomFor(id: TermId): boolean {
    const hasRoom =
      this.#table.get(id) !== undefined ||
      (this.#current !== undefined && this.#nodeQuota.hasFor(this.#current.place));
    if (!hasRoom) this.#truncated = true;
    return hasRoom;
  }

  addField(name: string, order: WalkOrder | undefined): void {
    const lists = { nodes: [], values: [], results: new Set<number>(), inputs: new Set<number>() };
    this.#fields.set(name, { name, order, ...lists });
  }

  addPlace(place: Omit<TracedPlace, 'id'>): TracedPlace {
    return { ...place, id: this.#placeCount++ };
  }

  /** Begins with a field. All of them have the same start resource. */
  begin(context: EvaluationContext, start: TermId): void {
    if (this.#table.nodes.length > 0) return;
    this.#table.add(start, tracedNode(context.text(start)));
    this.#nodeQuota = new Quota(this.#limits.nodes - 1, this.#placeCount);
    this.#edgeQuota = new Quota(this.#limits.edges, this.#placeCount);
  }

  /** Runs a part of the evaluation that belongs to a place. */
  at<T>(place: TracedPlace, node: TermId, run: () => T): T {
    const outer = this.#current;
    this.#current = { place, node };
    const result = run();
    this.#current = outer;
    return result;
  }

  forward(subject: TermId, predicate: TermId, object: TermId): void {
    this.#add(subject, predicate, object, false);
  }

  backward(subject: TermId, predicate: TermId, object: TermId): void {
    this.#add(object, predicate, subject, true);
  }

  /** A triple that was looked for. */
  found(subject: TermId, predicate: TermId, object: TermId): void {
    const node = this.#current?.node;
    const isBackward = object === node && (subject !== node || this.asksForEach);
    if (isBackward) this.backward(subject, predicate, object);
    else this.forward(subject, predicate, object);
  }

  /** The terms on the stack from `bottom` on are the results of a field. */
  select(name: string, context: EvaluationContext, bottom: number): void {
    const field = this.#fields.get(name)!;
    const { stack } = context;
    // A long list leaves half of the room to the fields after it.
    const end = bottom + Math.ceil(this.#listRoom / 2);
    this.#listRoom -= Math.min(stack.length, end) - bottom;
    for (let i = bottom; i < stack.length; i++) {
      const id = stack[i]!;
      const number = this.#table.get(id);
      if (number !== undefined) field.results.add(number);
      if (i >= end) this.#truncated = true;
      else if (number !== undefined) field.nodes.push(number);
      else this.#addValue(field, context.text(id));
    }
  }

  /** The terms on the stack from `bottom` on are an argument of a function. */
  argue(name: string, { stack }: EvaluationContext, bottom: number): void {
    const { inputs } = this.#fields.get(name)!;
    for (let i = bottom; i < stack.length; i++) {
      const number = this.#table.get(stack[i]!);
      if (number !== undefined) inputs.add(number);
    }
  }

  /** `source`: the program. */
  trace(source: SourceText): Trace {
    const used = new Set([...this.#fields.values()].flatMap((field) => usedEdges(this.#edges, field)));
    return {
      nodes: this.#table.nodes,
      places: [...this.#places.keys()].map(({ field, test, construct }) => {
        return { field, test, ...source.place(construct) };
      }),
      edges: this.#edges.map((edge) => {
        const { from, to, predicate, inverse, place } = edge;
        const step = this.#places.get(place)!;
        return { from, to, predicate, inverse, field: place.field, step, used: used.has(edge) };
      }),
      fields: Array.from(this.#fields.values(), ({ name, nodes, values }) => ({ name, nodes, values })),
      truncated: this.#truncated,
    };
  }

  #addValue(field: RecordedField, text: string): void {
    const value = tracedNode(text);
    if (this.#spend(textLength(value))) field.values.push(value);
  }

  #add(from: TermId, predicate: TermId, to: TermId, inverse: boolean): void {
    if (this.#current === undefined || !this.wants) return;
    const { place, node } = this.#current;
    if (place.reading !== 'all' && from !== node) return;
    const ends = this.#endsOf(from, to, place);
    if (ends === undefined) {
      this.#truncated = true;
      return;
    }
    const key = `${place.id} ${from} ${predicate} ${to} ${inverse}`;
    if (this.#seen.has(key)) return;
    const iri = this.#graph.text(predicate).slice(1, -1);
    if (!this.#edgeQuota.hasFor(place) || !this.#spend(iri.length)) {
      this.#truncated = true;
      this.#closed.add(place);
      return;
    }
    this.#edgeQuota.take(place);
    this.#seen.add(key);
    if (!this.#places.has(place)) this.#places.set(place, this.#places.size);
    this.#edges.push({ ...ends, predicate: iri, inverse, place });
  }

  /** Returns undefined if there is no room for one of them. */
  #endsOf(from: TermId, to: TermId, place: TracedPlace): Pick<RecordedEdge, 'from' | 'to'> | undefined {
    // The other nodes without edges to them are made by functions, or constants.
    if (this.#truncated && this.#table.get(from) === undefined) return undefined;
    const first = this.#numberOf(from, place);
    const second = first === undefined ? undefined : this.#numberOf(to, place);
    return first === undefined || second === undefined ? undefined : { from: first, to: second };
  }

  #numberOf(id: TermId, place: TracedPlace): number | undefined {
    const known = this.#table.get(id);
    if (known !== undefined) return known;
    if (id <= NO_TERM || !this.#nodeQuota.hasFor(place)) return undefined;
    const node = tracedNode(this.#graph.text(id));
    if (!this.#spend(textLength(node))) {
      this.#closed.add(place);
      return undefined;
    }
    this.#nodeQuota.take(place);
    return this.#table.add(id, node);
  }

  /** Returns false if the trace has no room for a text of this length. */
  #spend(length: number): boolean {
    if (length > this.#textLeft) {
      this.#truncated = true;
      return false;
    }
    this.#textLeft -= length;
    return true;
  }
}
