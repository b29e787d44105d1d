import { formatTerm, iri } from '../../rdf/model/term.ts';
import type { TermId } from '../../rdf/model/term-id.ts';
import { LDP_GRAPH, SYSTEM_GRAPH } from '../../snapshot/graphs/system-graph.ts';
import type { SnapshotReader } from '../../snapshot/read/reader.ts';
import type { SnapshotView } from '../../snapshot/read/view.ts';
import { joinedRows } from '../../snapshot/runs/joined-rows.ts';
import { QuadSet } from '../../snapshot/runs/quad-set.ts';
import type { PlanBasis } from '../../snapshot/write/change-plan.ts';
import type { Changes } from '../../snapshot/write/changes.ts';
import type { Stamp } from '../../store/graphs/effects.ts';
import type { TripleText } from './membership.ts';

const MANAGED = formatTerm(iri(LDP_GRAPH));
const BOOKS = formatTerm(iri(SYSTEM_GRAPH));

/**
 * Collects the changes of an operation on the LDP space, compared with the state before it. Terms
 * of additions are interned at once, so `earlier` must contain everything that was planned before
 * the draft was created. A removed triple must not be added again.
 */
export class LdpDraft {
  readonly reader: SnapshotReader;
  /** A view of the public managed triples only. */
  readonly managed: SnapshotView;
  /** The stamp of the commit that the draft will be part of. */
  readonly stamp: Stamp;
  readonly #basis: PlanBasis;
  readonly #earlier: readonly Changes[];
  readonly #additions = new QuadSet();
  readonly #removals = new QuadSet();
  readonly #settled = new Set<string>();

  constructor(basis: PlanBasis, stamp: Stamp, earlier: readonly Changes[]) {
    this.stamp = stamp;
    this.#basis = basis;
    this.#earlier = earlier;
    this.reader = basis.reader();
    this.managed = this.reader.within([this.reader.find(MANAGED)]);
  }

  /**
   * Returns true the first time that the operation decides the new state of a resource; the caller
   * must then write it.
   */
  settle(uri: string): boolean {
    const isFirst = !this.#settled.has(uri);
    this.#settled.add(uri);
    return isFirst;
  }

  addManaged([subject, predicate, object]: TripleText): void {
    this.#add([subject, predicate, object, MANAGED]);
  }

  removeManaged([subject, predicate, object]: TripleText): void {
    this.#remove([subject, predicate, object, MANAGED]);
  }

  hasManaged([subject, predicate, object]: TripleText): boolean {
    const { reader } = this;
    return this.managed.has(reader.find(subject), reader.find(predicate), reader.find(object));
  }

  addRegistryRow([subject, predicate, object]: TripleText): void {
    this.#add([subject, predicate, object, BOOKS]);
  }

  removeRegistryRow([subject, predicate, object]: TripleText): void {
    this.#remove([subject, predicate, object, BOOKS]);
  }

  changes(): Changes {
    const all = [
      ...this.#earlier,
      { additions: this.#additions.rows(), removals: this.#removals.rows() } satisfies Changes,
    ];
    return {
      additions: joinedRows(all.map(({ additions }) => additions)),
      removals: joinedRows(all.map(({ removals }) => removals)),
    };
  }

  #add(quad: QuadText): void {
    const { dictionary } = this.#basis;
    const ids = quad.map((term) => dictionary.internText(term)) as unknown as Ids;
    if (!this.reader.hasQuad(...ids)) this.#additions.add(...ids);
  }

  #remove(quad: QuadText): void {
    const ids = quad.map((term) => this.reader.find(term)) as unknown as Ids;
    if (this.reader.hasQuad(...ids)) this.#removals.add(...ids);
  }
}

type QuadText = readonly [subject: string, predicate: string, object: string, graph: string];
type Ids = readonly [TermId, TermId, TermId, TermId];
