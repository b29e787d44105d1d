import type { TermBytes } from '../../rdf/model/path-graph.ts';
import { LDP_GRAPH } from '../../snapshot/graphs/system-graph.ts';
import type { GraphInfo } from '../../snapshot/graphs/table.ts';
import type { Changes } from '../../snapshot/write/changes.ts';
import type { UpdateOperation } from '../../snapshot/write/graph-operation.ts';
import type { Operation } from '../main/transaction.ts';
import type { PatchHeader } from '../patch/patch.ts';
import type { BaseOperation } from '../registry/base-operation.ts';
import type { PrefixOperation } from '../registry/prefix-operation.ts';
import type { ProgramOperation } from '../registry/program-operation.ts';
import { createGraph, growGraphs, growthByGraph, reducedGraphs, reduceGraph, type Stamp } from './effects.ts';
import { renamedGraphs, type WorkingGraphs } from './working-graphs.ts';

/** What a transaction does to a graph. */
interface TouchedGraph {
  /** The row before the transaction. */
  readonly before: GraphInfo | undefined;
  /** Whether triples are added or removed. */
  readonly changed: boolean;
}

/** Keeps the rows of graphs up to date while a transaction is planned. */
export class GraphAccounts {
  readonly #graphs: WorkingGraphs;
  readonly #stamp: Stamp;
  readonly #touched = new Map<string, TouchedGraph>();
  readonly #reduced = new Set<string>();

  constructor(graphs: WorkingGraphs, stamp: Stamp) {
    this.#graphs = graphs;
    this.#stamp = stamp;
  }

  /** Applies one operation. */
  take(operation: Operation, changes: Changes, terms: TermBytes): void {
    this.takeGrowth(operation, growthByGraph(changes, terms), reducedGraphs(changes, terms));
  }

  /** The same, given by how many triples graphs grow and which graphs lose triples. */
  takeGrowth(operation: Operation, growth: ReadonlyMap<string, number>, reduced: readonly string[]): void {
    for (const name of [...namedGraphs(operation), ...growth.keys()]) {
      this.#note(name, growth.has(name));
    }
    const emptyOnes = operation.kind === 'base' ? this.#takeEmpty(operation) : [];
    growGraphs(this.#graphs, growth, this.#stamp);
    if (!('resource' in operation)) this.#reduce(reduced);
    if ('target' in operation || operation.kind === 'base') {
      this.#dropEmpty(growth.keys());
      for (const name of emptyOnes) createGraph(this.#graphs, name, this.#stamp);
    } else if (operation.kind === 'drop' || operation.kind === 'erase') {
      const name = graphOf(operation);
      if (!operation.keep && this.#graphs.get(name)) this.#graphs.set(name, null);
    } else if (operation.kind === 'update') {
      for (const name of operation.created) createGraph(this.#graphs, name, this.#stamp);
      for (const name of operation.dropped) if (this.#graphs.get(name)) this.#graphs.set(name, null);
    } else if ('graph' in operation) {
      createGraph(this.#graphs, operation.graph, this.#stamp);
    }
  }

  /**
   * Returns the graphs that were created, dropped or reduced, as replay needs them. A graph that
   * was dropped and created again without a change of its triples keeps its row.
   */
  settle(): Pick<PatchHeader, 'created' | 'dropped' | 'reduced'> {
    const created: string[] = [];
    const dropped: string[] = [];
    for (const [name, { before, changed }] of this.#touched) {
      const exists = this.#graphs.get(name) !== undefined;
      if (exists && !before) created.push(name);
      else if (exists && before && !changed) this.#graphs.set(name, before);
      else if (exists && before && !this.#reduced.has(name)) this.#keepSince(name, before);
      else if (!exists && (before || changed)) dropped.push(name);
    }
    const reduced = [...this.#reduced].filter((name) => this.#graphs.get(name) && !created.includes(name));
    return { created, dropped, reduced };
  }

  /** The graphs that the transaction involves, whether they change or not. */
  get names(): Iterable<string> {
    return this.#touched.keys();
  }

  /** Restores `since`: an empty graph that was dropped and created again has lost nothing. */
  #keepSince(name: string, { since }: GraphInfo): void {
    const row = this.#graphs.get(name);
    if (row && row.since !== since) this.#graphs.set(name, { ...row, since });
  }

  /**
   * Skips the graph of the LDP space's server-managed triples: it gains and loses triples all the
   * time, and its own rows record that.
   */
  #reduce(names: readonly string[]): void {
    for (const name of names) {
      if (name === LDP_GRAPH) continue;
      reduceGraph(this.#graphs, name, this.#stamp);
      this.#reduced.add(name);
    }
  }

  /**
   * Removes the empty graphs that a change of the base renames, and returns their new names. Graphs
   * with triples are renamed by the changes of those triples.
   */
  #takeEmpty({ base, renames }: BaseOperation): string[] {
    if (renames === null) return [];
    const named = renamedGraphs(this.#graphs, renames, base);
    const empty = named.filter(([name]) => this.#graphs.get(name)?.size === 0);
    for (const name of empty.flat()) this.#note(name, false);
    for (const [name] of empty) this.#graphs.set(name, null);
    return empty.map(([, renamed]) => renamed);
  }

  #note(name: string, changes: boolean): void {
    const known = this.#touched.get(name);
    this.#touched.set(name, {
      before: known ? known.before : this.#graphs.get(name),
      changed: changes || known?.changed === true,
    });
  }

  /** Graphs of the LDP space exist while they hold triples (http-api C-6). */
  #dropEmpty(names: Iterable<string>): void {
    for (const name of names) {
      if (this.#graphs.get(name)?.size === 0) this.#graphs.set(name, null);
    }
  }
}

type OfGraph = Exclude<
  Operation,
  { readonly target: string } | BaseOperation | ProgramOperation | PrefixOperation | UpdateOperation
>;

/** The graphs that an operation may create or remove, whatever happens to their triples. */
function namedGraphs(operation: Operation): readonly string[] {
  if (operation.kind === 'update') return [...operation.cleared, ...operation.created, ...operation.dropped];
  const graph = graphOf(operation);
  return graph === undefined ? [] : [graph];
}

/**
 * Returns the graph that an operation creates or removes, if it is a single one; undefined for the
 * LDP space, for stored programs and for stored prefixes.
 */
export function graphOf(operation: OfGraph): string;
export function graphOf(operation: Operation): string | undefined;
export function graphOf(operation: Operation): string | undefined {
  if ('target' in operation || 'program' in operation) return undefined;
  if ('prefix' in operation || 'learned' in operation) return undefined;
  if (operation.kind === 'base' || operation.kind === 'update') return undefined;
  if ('resource' in operation) return operation.resource;
  return 'defaultGraph' in operation ? operation.defaultGraph : operation.graph;
}
