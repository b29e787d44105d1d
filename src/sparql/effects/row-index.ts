import type { TermId } from '../../graph/term-id.ts';
import { QuadSet } from '../../snapshot/quad-set.ts';

const FIRST_ROWS = 256;
const NONE: readonly number[] = [];

/**
 * Finds the rows of a growing set of quads by graph, and by triple. Takes new ones in when it is
 * asked.
 */
export class RowIndex {
  readonly #quads: QuadSet;
  readonly #byGraph = new Map<TermId, number[]>();
  /** How many rows are in `#byGraph`. */
  #ofGraphs = 0;
  /** Triples, with no graph. */
  readonly #triples = new QuadSet();
  /** How many rows are in the lists of triples. */
  #ofTriples = 0;
  /** By number of a triple: one more than its newest row. */
  #newest = new Uint32Array(FIRST_ROWS);
  /** By row: the graph, and one more than the next older row of the same triple. */
  #links = new Uint32Array(2 * FIRST_ROWS);

  constructor(quads: QuadSet) {
    this.#quads = quads;
  }

  /** Numbers of rows. */
  ofGraph(graph: TermId): readonly number[] {
    const rows = this.#quads.rowsFrom(this.#ofGraphs);
    for (let at = 3; at < rows.length; at += 4) {
      const known = this.#byGraph.get(rows[at]!);
      if (known) known.push(this.#ofGraphs++);
      else this.#byGraph.set(rows[at]!, [this.#ofGraphs++]);
    }
    return this.#byGraph.get(graph) ?? NONE;
  }

  /** The graphs in which there are rows of a triple. */
  graphsOf(subject: TermId, predicate: TermId, object: TermId): TermId[] {
    const rows = this.#quads.rowsFrom(this.#ofTriples);
    for (let at = 0; at < rows.length; at += 4) {
      this.#link(rows[at]!, rows[at + 1]!, rows[at + 2]!, rows[at + 3]!);
    }
    const graphs: TermId[] = [];
    const triple = this.#triples.row(subject, predicate, object, 0);
    let row = triple < 0 ? 0 : this.#newest[triple]!;
    for (; row > 0; row = this.#links[2 * row - 1]!) graphs.push(this.#links[2 * row - 2]!);
    return graphs;
  }

  #link(subject: TermId, predicate: TermId, object: TermId, graph: TermId): void {
    this.#triples.add(subject, predicate, object, 0);
    const triple = this.#triples.row(subject, predicate, object, 0);
    const row = this.#ofTriples++;
    this.#newest = withRoom(this.#newest, triple);
    this.#links = withRoom(this.#links, 2 * row + 1);
    this.#links[2 * row] = graph;
    this.#links[2 * row + 1] = this.#newest[triple]!;
    this.#newest[triple] = row + 1;
  }
}

function withRoom(numbers: Uint32Array<ArrayBuffer>, index: number): Uint32Array<ArrayBuffer> {
  if (index < numbers.length) return numbers;
  const grown = new Uint32Array(2 * numbers.length);
  grown.set(numbers);
  return grown;
}
