import { graphNameOf } from '../../rdf/model/graph-name.ts';
import { type IriPatterns, matchesPatterns } from '../../rdf/model/resources/iri-patterns.ts';
import { isServerGraph } from '../../snapshot/graphs/system-graph.ts';
import type { ChangeCount, WatchedSubjects } from '../messages.ts';
import { type RowCursor, termOf } from './row-cursor.ts';
import { WatchedResources } from './watched-resources.ts';

interface Counter {
  readonly name: string;
  added: number;
  removed: number;
}

/** Counts the rows of a commit, without those of graphs that are the server's own or hidden. */
export class Summary {
  readonly #visible: IriPatterns | undefined;
  readonly #graphs = new Map<string, Counter | undefined>();
  readonly #subjects: ReadonlyMap<string, Counter> | undefined;
  readonly #resources: WatchedResources | undefined;
  /** The graph of the last row, its name, and the bytes of that. */
  #graph: Counter | undefined;
  #graphName = '';
  #graphBytes: Uint8Array = new Uint8Array();
  #rows = 0;

  /** `visible`: the graphs that are not hidden; `watched`: what rows are counted of, too. */
  constructor(visible: IriPatterns | undefined, watched?: WatchedSubjects) {
    this.#visible = visible;
    const { terms = [], resources = [] } = watched ?? {};
    if (terms.length > 0) {
      this.#subjects = new Map(terms.map((name) => [name, { name, added: 0, removed: 0 }]));
    }
    if (resources.length > 0) this.#resources = new WatchedResources(resources, visible);
  }

  /** Number of rows that were counted, or are in hidden graphs: those take as long to read. */
  get rows(): number {
    return this.#rows;
  }

  /**
   * Counts the current row. Returns its graph; undefined for one of the server's own, or a hidden
   * one.
   */
  add(row: RowCursor): string | undefined {
    const graph = this.#graphOf(row);
    this.#resources?.add(row, this.#graphName);
    if (!graph) {
      if (this.#visible) this.#rows++;
      return undefined;
    }
    this.#rows++;
    count(graph, row);
    if (this.#subjects) count(this.#subjects.get(termOf(row, 0)), row);
    return graph.name;
  }

  /** Whether a client that does not see all graphs learns of the commit. */
  get isShown(): boolean {
    return this.graphs.length + this.subjects.length + this.resources.length > 0;
  }

  get graphs(): ChangeCount[] {
    const graphs = [...this.#graphs.values()].filter((graph) => graph !== undefined);
    return graphs.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** Those that have changed. */
  get subjects(): ChangeCount[] {
    return [...(this.#subjects?.values() ?? [])].filter(({ added, removed }) => added + removed > 0);
  }

  /** Those of the LDP space that have changed. */
  get resources(): readonly ChangeCount[] {
    return this.#resources?.changed ?? [];
  }

  #graphOf(row: RowCursor): Counter | undefined {
    const { bytes, bounds } = row;
    const [from, to] = [bounds[6]!, bounds[7]!];
    // Most rows have the graph of the row before.
    if (isSame(this.#graphBytes, bytes, from, to)) return this.#graph;
    this.#graphBytes = bytes.slice(from, to);
    const name = graphNameOf(termOf(row, 3));
    if (!this.#graphs.has(name)) {
      this.#graphs.set(name, this.#shows(name) ? { name, added: 0, removed: 0 } : undefined);
    }
    this.#graph = this.#graphs.get(name);
    this.#graphName = name;
    return this.#graph;
  }

  #shows(graph: string): boolean {
    if (isServerGraph(graph)) return false;
    return this.#visible === undefined || matchesPatterns(this.#visible, graph);
  }
}

function count(counter: Counter | undefined, { removed }: RowCursor): void {
  if (!counter) return;
  if (removed) counter.removed++;
  else counter.added++;
}

function isSame(known: Uint8Array, bytes: Uint8Array, from: number, to: number): boolean {
  if (known.length !== to - from || known.length === 0) return false;
  for (let i = known.length - 1; i >= 0; i--) if (known[i] !== bytes[from + i]) return false;
  return true;
}
