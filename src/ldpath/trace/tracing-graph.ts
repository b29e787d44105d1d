import type { PathGraph, TermBytes } from '../../rdf/model/path-graph.ts';
import type { TermId } from '../../rdf/model/term-id.ts';
import type { Recorder } from './recorder.ts';

/** The triples of another graph. A recorder learns which of them are read. */
export class TracingGraph implements PathGraph {
  readonly terms: TermBytes;
  readonly #graph: PathGraph;
  readonly #recorder: Recorder;

  constructor(graph: PathGraph, recorder: Recorder) {
    this.terms = graph.terms;
    this.#graph = graph;
    this.#recorder = recorder;
  }

  find(text: string): TermId {
    return this.#graph.find(text);
  }

  shown(id: TermId): TermId {
    return this.#graph.shown(id);
  }

  text(id: TermId): string {
    return this.#graph.text(id);
  }

  objects(subject: TermId, predicate: TermId, into: TermId[]): void {
    const before = into.length;
    this.#graph.objects(subject, predicate, into);
    for (let i = before; i < into.length && this.#recorder.wants; i++) {
      this.#recorder.forward(subject, predicate, into[i]!);
    }
  }

  objectsOfEach(list: TermId[], from: number, _to: number, predicate: TermId): number {
    this.objects(list[from]!, predicate, list);
    return from + 1;
  }

  allObjects(subject: TermId, into: TermId[]): void {
    this.#graph.allObjects(subject, into);
    if (!this.#recorder.wants) return;
    const predicates: TermId[] = [];
    this.#graph.predicates(subject, predicates);
    for (const predicate of predicates) {
      if (!this.#recorder.wants) return;
      this.objects(subject, predicate, []);
    }
  }

  subjects(predicate: TermId, object: TermId, into: TermId[]): void {
    const before = into.length;
    this.#graph.subjects(predicate, object, into);
    for (let i = before; i < into.length && this.#recorder.wants; i++) {
      this.#recorder.backward(into[i]!, predicate, object);
    }
  }

  allSubjects(object: TermId, into: TermId[]): void {
    const before = into.length;
    this.#graph.allSubjects(object, into);
    if (this.#recorder.asksForEach) return;
    for (let i = before; i < into.length && this.#recorder.wants; i++) {
      // Finding the predicates costs far more than the step itself.
      if (this.#recorder.hasRoomFor(into[i]!)) this.#links(into[i]!, object);
    }
  }

  /** Records all triples from a subject to the object of a step backwards. */
  #links(subject: TermId, object: TermId): void {
    const predicates: TermId[] = [];
    this.#graph.predicates(subject, predicates);
    for (const predicate of predicates) {
      if (this.#graph.has(subject, predicate, object)) this.#recorder.backward(subject, predicate, object);
    }
  }

  predicates(subject: TermId, into: TermId[]): void {
    this.#graph.predicates(subject, into);
  }

  has(subject: TermId, predicate: TermId, object: TermId): boolean {
    const found = this.#graph.has(subject, predicate, object);
    if (found) this.#recorder.found(subject, predicate, object);
    return found;
  }

  mentions(id: TermId): boolean {
    return this.#graph.mentions(id);
  }

  within(graphNames: readonly TermId[]): PathGraph {
    return new TracingGraph(this.#graph.within(graphNames), this.#recorder);
  }
}
