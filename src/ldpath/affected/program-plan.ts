/**
 * Finds the start resources whose result a change may have altered: a plan is made once for a
 * program, and applied to the changed quads of any number of commits.
 *
 * Why the present graph suffices to find the way back: compare the evaluation on the earlier data
 * with that on the present data, look-up by look-up. Up to the first look-up with another answer
 * they are the same, so that the present triples lead to the node of that look-up; and the look-up
 * itself finds a changed triple.
 */
import type { NetChanges } from '../../rdf/model/changes/net-changes.ts';
import type { DeclaredStartSet } from '../../rdf/model/resources/start-set.ts';
import type { TermId } from '../../rdf/model/term-id.ts';
import type { CompileOptions } from '../compile/compiler.ts';
import { parseProgram } from '../syntax/parser.ts';
import type { SourceText } from '../syntax/source-text.ts';
import { BackwardSearch, SUB_PROPERTY_OF } from './backward-search.ts';
import { type Place, Places, type Read } from './program-places.ts';
import type { Untraceable } from './relation.ts';
import type { SearchedGraph } from './searched-graph.ts';
import { obstacleOf } from './traceability.ts';

/** Whether results can be kept up to date from changes alone; if not, the reason. */
export type Incremental =
  | { readonly incremental: true }
  | { readonly incremental: false; readonly reason: string };

/**
 * Analyses a program. Without `starts`, all subjects are its start resources.
 *
 * @throws LdPathError parse-error, unknown-prefix
 */
export function compileAffected(
  source: string,
  starts: DeclaredStartSet | undefined,
  options: CompileOptions,
): AffectedPlan {
  const parsed = parseProgram(source, options.prefixes);
  const places = new Places(parsed.program);
  const obstacle = obstacleOf(places);
  return new AffectedPlan(
    places,
    starts ?? { kind: 'subjects' },
    parsed.program.graphs,
    obstacle === undefined ? { incremental: true } : reasonFor(obstacle, parsed.source),
  );
}

function reasonFor({ by, at }: Untraceable, source: SourceText): Incremental {
  const { line, column } = source.position(at);
  return {
    incremental: false,
    reason: `Nothing leads back from what ${by} selects (line ${line}, column ${column}), and the program looks up triples of it`,
  };
}

export class AffectedPlan {
  readonly startSet: DeclaredStartSet;
  readonly incremental: Incremental;
  readonly #places: readonly Place[];
  readonly #reads: readonly Read[];
  /** IRIs; empty if the program reads all graphs. */
  readonly #graphs: readonly string[];

  constructor(
    { all, reads }: Places,
    startSet: DeclaredStartSet,
    graphs: readonly string[],
    incremental: Incremental,
  ) {
    this.#places = all;
    this.#reads = reads;
    this.#graphs = graphs;
    this.startSet = startSet;
    this.incremental = incremental;
  }

  /**
   * Returns the nodes from which the program looks up one of the quads, on its way through a graph,
   * and perhaps more. Returns `too-many` if every node may be among them, or if more than `limit`
   * terms are on the way back to them.
   *
   * @param quads rows of `changes`; the graph need not have them
   */
  starts(
    quads: readonly Uint32Array[],
    changes: NetChanges,
    graph: SearchedGraph,
    limit: number,
  ): ReadonlySet<TermId> | 'too-many' {
    if (!this.incremental.incremental) return 'too-many';
    const graphs = this.#graphs.map((iri) => changes.find(`<${iri}>`));
    const view = graphs.length === 0 ? graph : graph.within(graphs);
    const search = new BackwardSearch(view, changes, limit);
    const nodes: Set<TermId>[] = this.#places.map(() => new Set());
    const matcher = new ReadMatcher(this.#reads, search, changes);
    for (const rows of quads) {
      for (let i = 0; i < rows.length; i += 4) {
        if (graphs.length === 0 || graphs.includes(rows[i + 3]!)) matcher.match(rows, i, nodes);
      }
    }
    for (let place = nodes.length - 1; place > 0 && !search.isOver; place--) {
      const { parent, relation } = this.#places[place]!;
      for (const id of search.sources(relation, nodes[place]!)) nodes[parent]!.add(id);
    }
    return search.isOver || nodes[0]!.size > limit ? 'too-many' : nodes[0]!;
  }
}

/** Finds the reads that a changed triple concerns, and the nodes at which they are made. */
class ReadMatcher {
  readonly #search: BackwardSearch;
  readonly #changes: NetChanges;
  readonly #byPredicate = new Map<TermId, Read[]>();
  readonly #others: Read[] = [];
  readonly #subPropertyOf: TermId;

  constructor(reads: readonly Read[], search: BackwardSearch, changes: NetChanges) {
    this.#search = search;
    this.#changes = changes;
    this.#subPropertyOf = changes.find(`<${SUB_PROPERTY_OF}>`);
    for (const read of reads) {
      const { predicates } = read.step;
      if (predicates.kind !== 'one') this.#others.push(read);
      else this.#listOf(changes.find(`<${predicates.iri}>`)).push(read);
    }
  }

  /** Adds the nodes of the triple at `rows[at ..]` to those of their places. */
  match(rows: Uint32Array, at: number, nodes: readonly Set<TermId>[]): void {
    const predicate = rows[at + 1]!;
    const subject = rows[at]!;
    const object = rows[at + 2]!;
    for (const read of this.#byPredicate.get(predicate) ?? []) this.#add(read, subject, object, nodes);
    for (const read of this.#others) {
      const { predicates } = read.step;
      if (this.#search.follows(predicates, predicate)) this.#add(read, subject, object, nodes);
      if (predicates.kind !== 'below' || predicate !== this.#subPropertyOf) continue;
      // The declarations are read wherever the step is made.
      if (this.#search.descendants(predicates.iri).has(object)) this.#search.giveUp();
    }
  }

  #add({ place, step, other }: Read, subject: TermId, object: TermId, nodes: readonly Set<TermId>[]): void {
    const [node, end] = step.forward ? [subject, object] : [object, subject];
    if (other !== undefined && this.#changes.find(other) !== end) return;
    if (!step.forward && !step.fromLiterals && this.#search.isLiteral(node)) return;
    nodes[place]!.add(node);
  }

  #listOf(predicate: TermId): Read[] {
    let list = this.#byPredicate.get(predicate);
    if (list === undefined) {
      list = [];
      this.#byPredicate.set(predicate, list);
    }
    return list;
  }
}
