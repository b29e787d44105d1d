import { type ErrorData, errorData, fromErrorData } from '../../errors.ts';
import { LDP_ROW, withSequence } from '../../ldp/registry.ts';
import { MADE, supportKey } from '../../ldp/store/support.ts';
import { formatTerm, iri, literal, parseTerm } from '../../rdf/model/term.ts';
import { NO_TERM, type TermId } from '../../rdf/model/term-id.ts';
import { LDP_GRAPH, SYSTEM_GRAPH_ID } from '../../snapshot/graphs/system-graph.ts';
import type { SnapshotReader } from '../../snapshot/read/reader.ts';
import { QuadSet } from '../../snapshot/runs/quad-set.ts';
import type { PlanBasis } from '../../snapshot/write/change-plan.ts';
import type { Changes } from '../../snapshot/write/changes.ts';
import { IriRenaming } from '../graphs/iri-renaming.ts';
import { renamedGraphs, type WorkingGraphs } from '../graphs/working-graphs.ts';
import { hasBase } from '../registry/base-names.ts';
import type { BaseOperation } from '../registry/base-operation.ts';
import { BASE_ROW, baseRow, rootOf } from '../registry/base-registry.ts';

type Ids = readonly [subject: TermId, predicate: TermId, object: TermId, graph: TermId];

/** Why the graphs can't be renamed; undefined if they can. */
export function baseRejection(
  graphs: WorkingGraphs,
  { base, renames }: BaseOperation,
): ErrorData | undefined {
  if (renames === null) return undefined;
  for (const [, renamed] of renamedGraphs(graphs, renames, base)) {
    if (graphs.get(renamed) && !hasBase(renamed, renames)) return taken(`<${renamed}>`);
  }
  return undefined;
}

/**
 * Plans a change of the base, see `change-plan.ts` of the snapshot. `sequence`: number of the
 * commit. Throws `bad-arguments` if two resources would get the same name.
 */
export function planBase(
  basis: PlanBasis,
  { base, renames, forgets }: BaseOperation,
  sequence: number,
): Changes {
  const plan = new BasePlan(basis, sequence);
  for (const forgotten of forgets) plan.forgetRoot(rootOf(forgotten));
  if (renames !== null) plan.rename(renames, base);
  plan.record(formatTerm(literal(base)));
  return plan.changes();
}

/** Interns the terms of additions row by row, so that they have the same order after a restart. */
class BasePlan {
  readonly #basis: PlanBasis;
  readonly #reader: SnapshotReader;
  readonly #sequence: number;
  /** Id of the graph with the managed triples. */
  readonly #managed: TermId;
  /** Id of the predicate of the rows of LDP resources. */
  readonly #ldpRow: TermId;
  readonly #forgottenRoots = new Set<TermId>();
  readonly #additions = new QuadSet();
  readonly #removals = new QuadSet();
  /** Removals that are also the result of renaming another quad, and so must be kept. */
  readonly #kept = new QuadSet();

  constructor(basis: PlanBasis, sequence: number) {
    this.#basis = basis;
    this.#reader = basis.reader();
    this.#sequence = sequence;
    this.#managed = this.#reader.find(formatTerm(iri(LDP_GRAPH)));
    this.#ldpRow = this.#reader.find(LDP_ROW);
  }

  /** Removes a root container from the server's own graphs. */
  forgetRoot(uri: string): void {
    const root = this.#reader.find(formatTerm(iri(uri)));
    if (root === NO_TERM) return;
    this.#forgottenRoots.add(root);
    for (const graph of [this.#managed, SYSTEM_GRAPH_ID]) {
      const cursor = this.#reader.graphCursor(graph);
      while (cursor.next()) {
        const { subject, predicate, object } = cursor;
        if (subject === root) this.#removals.add(subject, predicate, object, graph);
      }
    }
  }

  rename(from: string, to: string): void {
    const renaming = new IriRenaming(this.#reader.terms, this.#basis.dictionary, from, to);
    const rows = this.#rowsNamed(renaming);
    const keys = this.#renamedKeys(rows, renaming);
    this.#addCounts(keys.keys(), rows);
    forEachRow(rows, (row) => this.#removals.add(...row));
    forEachRow(rows, (row) => this.#replace(this.#renamedRow(row, renaming, keys)));
  }

  record(base: string): void {
    const before = baseRow(this.#reader);
    const predicate = this.#basis.dictionary.internText(BASE_ROW);
    const object = this.#basis.dictionary.internText(base);
    if (before === object) return;
    if (before !== undefined) this.#removals.add(SYSTEM_GRAPH_ID, predicate, before, SYSTEM_GRAPH_ID);
    this.#additions.add(SYSTEM_GRAPH_ID, predicate, object, SYSTEM_GRAPH_ID);
  }

  changes(): Changes {
    const removals = new QuadSet();
    forEachRow(this.#removals, (row) => {
      if (!this.#kept.has(...row)) removals.add(...row);
    });
    return { additions: this.#additions.rows(), removals: removals.rows() };
  }

  /** Returns the quads with a term that is to be renamed. */
  #rowsNamed(renaming: IriRenaming): QuadSet {
    const rows = new QuadSet();
    const cursor = this.#reader.allQuads();
    while (cursor.next()) {
      const row: Ids = [cursor.subject, cursor.predicate, cursor.object, cursor.graph];
      if (row.some((id) => renaming.concerns(id)) && !this.#removals.has(...row)) rows.add(...row);
    }
    return rows;
  }

  /**
   * Returns the keys of membership triples in these rows (see `support.ts`), with their new
   * keys.
   */
  #renamedKeys(rows: QuadSet, renaming: IriRenaming): Map<TermId, string> {
    const keys = new Map<TermId, string>();
    if (this.#reader.find(MADE) === NO_TERM) return keys;
    forEachRow(rows, ([subject, predicate, object, graph]) => {
      if (graph !== this.#managed) return;
      const keyOf = (text: (id: TermId) => string) =>
        supportKey([text(subject), text(predicate), text(object)]);
      const key = this.#reader.find(keyOf((id) => this.#reader.text(id)));
      if (key === NO_TERM) return;
      const renamed = keyOf((id) => renaming.text(id));
      keys.set(key, renamed);
    });
    return keys;
  }

  #addCounts(keys: Iterable<TermId>, rows: QuadSet): void {
    const made = this.#reader.find(MADE);
    for (const key of keys) {
      const counts: TermId[] = [];
      this.#reader.registry.objects(key, made, counts);
      for (const count of counts) rows.add(key, made, count, SYSTEM_GRAPH_ID);
    }
  }

  #renamedRow(row: Ids, renaming: IriRenaming, keys: ReadonlyMap<TermId, string>): Ids {
    const [subject, predicate, , graph] = row;
    const key = keys.get(subject);
    const name = key === undefined ? renaming.renamed(subject) : this.#basis.dictionary.internText(key);
    if (graph === SYSTEM_GRAPH_ID && name !== subject) this.#requireFree(name, renaming);
    const relation = renaming.renamed(predicate);
    return [name, relation, this.#renamedObject(row, renaming), renaming.renamed(graph)];
  }

  /**
   * The renamed object. The representation of an LDP resource changes, so its row gets the number
   * of this commit.
   */
  #renamedObject([, predicate, object, graph]: Ids, renaming: IriRenaming): TermId {
    const isRow = graph === SYSTEM_GRAPH_ID && predicate === this.#ldpRow;
    if (!isRow) return renaming.renamed(object);
    const row = withSequence(parseTerm(this.#reader.text(object)).value, this.#sequence);
    return this.#basis.dictionary.internText(formatTerm(literal(row)));
  }

  /** Throws `bad-arguments` if a resource of that name already exists. */
  #requireFree(name: TermId, renaming: IriRenaming): void {
    const isNew = name > this.#reader.terms.termCount;
    if (isNew || this.#forgottenRoots.has(name) || renaming.concerns(name)) return;
    const rows: TermId[] = [];
    this.#reader.registry.allObjects(name, rows);
    if (rows.length > 0) throw fromErrorData(taken(this.#reader.text(name)));
  }

  #replace(row: Ids): void {
    if (this.#removals.has(...row)) this.#kept.add(...row);
    else if (!this.#reader.hasQuad(...row)) this.#additions.add(...row);
  }
}

function forEachRow(rows: QuadSet, use: (row: Ids) => void): void {
  const words = rows.rows();
  for (let i = 0; i < words.length; i += 4) {
    use([words[i]!, words[i + 1]!, words[i + 2]!, words[i + 3]!]);
  }
}

function taken(name: string): ErrorData {
  return errorData('bad-arguments', `${name} already exists.`);
}
