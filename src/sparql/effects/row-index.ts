import type { TermId } from '../../rdf/model/term-id.ts';
import { QuadSet } from '../../snapshot/runs/quad-set.ts';

const FIRST_ROWS = 256;

/** The first and the newest row of a graph. */
interface GraphRows {
  readonly first: number;
  last: number;
}

/**
 * Finds the rows of a growing set of quads by graph, and by triple. Each lookup first indexes the
 * rows added since the last one.
 */
export class RowIndex {
  readonly #quads: QuadSet;
  readonly #byGraph = new Map<TermId, GraphRows>();
  /** The number of rows indexed in `#byGraph`. */
  #ofGraphs = 0;
  /** By row: the next row of the same graph; 0 for the newest. */
  #next = new Uint32Array(FIRST_ROWS);
  /** Triples, without their graphs. */
  readonly #triples = new QuadSet();
  /** The number of rows indexed in the lists of triples. */
  #ofTriples = 0;
  /** By triple number: one more than its newest row. */
  #newest = new Uint32Array(FIRST_ROWS);
  /** By row: the graph, and one more than the next older row of the same triple. */
  #links = new Uint32Array(2 * FIRST_ROWS);

  constructor(quads: QuadSet) {
    this.#quads = quads;
  }

  /** Yields row numbers, the oldest first. */
  *ofGraph(graph: TermId): Generator<number> {
    const rows = this.#quads.rowsFrom(this.#ofGraphs);
    for (let at = 3; at < rows.length; at += 4) this.#append(rows[at]!);
    const found = this.#byGraph.get(graph);
    if (!found) return;
    yield found.first;
    for (let row = this.#next[found.first]!; row > 0; row = this.#next[row]!) yield row;
  }

  /** Returns the graphs that have rows of a triple. */
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

  #append(graph: TermId): void {
    const row = this.#ofGraphs++;
    this.#next = withRoom(this.#next, row);
    const known = this.#byGraph.get(graph);
    if (!known) {
      this.#byGraph.set(graph, { first: row, last: row });
      return;
    }
    this.#next[known.last] = row;
    known.last = row;
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
