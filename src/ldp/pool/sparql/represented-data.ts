import type { QuadCursor } from '../../../rdf/model/quad-cursor.ts';
import { RowQuads } from '../../../rdf/model/row-quads.ts';
import { formatTerm, iri } from '../../../rdf/model/term.ts';
import type { TermId } from '../../../rdf/model/term-id.ts';
import type { SnapshotReader } from '../../../snapshot/read/reader.ts';
import { QuadSet } from '../../../snapshot/runs/quad-set.ts';
import type { StoredData } from '../../../sparql/effects/updated-data.ts';
import type { ShownTarget } from '../body.ts';
import { RepresentationCursor } from '../representation.ts';

const ROW_WORDS = 4;
const everything = { minimal: true, containment: true, membership: true };

/**
 * The representation of a resource, used in place of a snapshot: its only graph, which has the name
 * of the resource.
 */
export class RepresentedData implements StoredData {
  readonly terms: SnapshotReader['terms'];
  readonly sequence: number;
  readonly #reader: SnapshotReader;
  readonly #graph: TermId;
  readonly #triples: QuadSet;
  #objects: Set<TermId> | undefined;

  private constructor(reader: SnapshotReader, graph: TermId, triples: QuadSet) {
    this.terms = reader.terms;
    this.sequence = reader.sequence;
    this.#reader = reader;
    this.#graph = graph;
    this.#triples = triples;
  }

  /** Returns null if there are more than `most` triples. */
  static read(
    reader: SnapshotReader,
    { target, visible }: ShownTarget,
    most: number,
  ): RepresentedData | null {
    const graph = reader.find(formatTerm(iri(target)));
    const cursor = new RepresentationCursor(reader, { ldp: target, parts: everything }, visible);
    const triples = new QuadSet();
    for (let count = 1; cursor.next(); count++) {
      if (count > most) return null;
      triples.add(cursor.subject, cursor.predicate, cursor.object, graph);
    }
    return new RepresentedData(reader, graph, triples);
  }

  /** The number of triples. */
  get size(): number {
    return this.#triples.size;
  }

  find(text: string): TermId {
    return this.#reader.find(text);
  }

  text(id: TermId): string {
    return this.#reader.text(id);
  }

  /** Whether a term is the object of a triple; meant for literals only. */
  mentions(id: TermId): boolean {
    this.#objects ??= new Set(this.#rowsOf(this.#graph).filter((_, at) => at % ROW_WORDS === 2));
    return this.#objects.has(id);
  }

  hasQuad(subject: TermId, predicate: TermId, object: TermId, graph: TermId): boolean {
    return this.#triples.has(subject, predicate, object, graph);
  }

  graphsOf(subject: TermId, predicate: TermId, object: TermId): TermId[] {
    return this.hasQuad(subject, predicate, object, this.#graph) ? [this.#graph] : [];
  }

  graphs(): TermId[] {
    return [this.#graph];
  }

  graphSize(graph: TermId): number {
    return graph === this.#graph ? this.size : 0;
  }

  graphCursor(graph: TermId): QuadCursor {
    return new RowQuads(this.terms, this.#rowsOf(graph));
  }

  /** Yields triples as texts in canonical N-Triples form. */
  *triples(): Generator<readonly [subject: string, predicate: string, object: string]> {
    const cursor = this.graphCursor(this.#graph);
    while (cursor.next()) {
      yield [this.text(cursor.subject), this.text(cursor.predicate), this.text(cursor.object)];
    }
  }

  #rowsOf(graph: TermId): Uint32Array {
    return graph === this.#graph ? this.#triples.rows() : new Uint32Array(0);
  }
}
