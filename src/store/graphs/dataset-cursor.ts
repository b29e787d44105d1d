import { graphNameOf } from '../../rdf/model/graph-name.ts';
import type { QuadCursor } from '../../rdf/model/quad-cursor.ts';
import { NO_TERM, type TermId } from '../../rdf/model/term-id.ts';
import type { SnapshotReader } from '../../snapshot/read/reader.ts';
import { type DatasetScope, isInDataset } from '../registry/dataset-state.ts';

/** Iterates over the quads of the data set, graph by graph, each in subject order. */
export class DatasetCursor implements QuadCursor {
  readonly terms: QuadCursor['terms'];
  readonly #reader: SnapshotReader;
  readonly #scope: DatasetScope;
  readonly #graphs: readonly TermId[];
  #at = 0;
  #current: QuadCursor | undefined;

  constructor(reader: SnapshotReader, scope: DatasetScope) {
    this.terms = reader.terms;
    this.#reader = reader;
    this.#scope = scope;
    this.#graphs = reader.graphs();
    this.#current = this.#nextGraph();
  }

  get subject(): TermId {
    return this.#current?.subject ?? NO_TERM;
  }

  get predicate(): TermId {
    return this.#current?.predicate ?? NO_TERM;
  }

  get object(): TermId {
    return this.#current?.object ?? NO_TERM;
  }

  get graph(): TermId {
    return this.#current?.graph ?? NO_TERM;
  }

  next(): boolean {
    while (this.#current) {
      if (this.#current.next()) return true;
      this.#current = this.#nextGraph();
    }
    return false;
  }

  read(words: Uint32Array): number {
    while (this.#current) {
      const count = this.#current.read!(words);
      if (count > 0) return count;
      this.#current = this.#nextGraph();
    }
    return 0;
  }

  #nextGraph(): QuadCursor | undefined {
    while (this.#at < this.#graphs.length) {
      const graph = this.#graphs[this.#at++]!;
      const name = graphNameOf(this.#reader.text(graph));
      if (isInDataset(name, this.#scope)) return this.#reader.graphCursor(graph);
    }
    return undefined;
  }
}
