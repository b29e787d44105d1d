import type { NetChanges } from '../../rdf/model/changes/net-changes.ts';
import type { ReadAllowance } from '../../rdf/model/path-graph.ts';
import { RDF } from '../../rdf/model/term.ts';
import { NO_TERM, type TermId } from '../../rdf/model/term-id.ts';
import type { Predicates, Relation, Step } from './relation.ts';
import type { SearchedGraph } from './searched-graph.ts';

type Terms = ReadonlySet<TermId>;

export const SUB_PROPERTY_OF = 'http://www.w3.org/2000/01/rdf-schema#subPropertyOf';
/** For a look-up with every predicate. */
const ANY: TermId = 0;
/** So many quads may be read for each term of the limit: a triple may be in several graphs. */
const QUADS_PER_TERM = 8;
const nothing: Terms = new Set();
const memberPredicate = new RegExp(`^<${RDF.replaceAll('.', '\\.')}_[1-9][0-9]*>$`);

/** Goes from nodes back to those that lead to them by a relation, in the present graph. */
export class BackwardSearch {
  readonly #graph: SearchedGraph;
  readonly #changes: NetChanges;
  readonly #descendants = new Map<string, Terms>();
  readonly #members = new Map<TermId, boolean>();
  #left: number;
  readonly #allowance: ReadAllowance;
  #isOver = false;

  /** @param limit the most terms to find on the way */
  constructor(graph: SearchedGraph, changes: NetChanges, limit: number) {
    this.#graph = graph;
    this.#changes = changes;
    this.#left = limit;
    this.#allowance = { quads: QUADS_PER_TERM * (limit + 1) };
  }

  /** True if every node may lead to the given ones, or if the limit was reached. */
  get isOver(): boolean {
    return this.#isOver;
  }

  giveUp(): void {
    this.#isOver = true;
  }

  /** Returns the nodes from which the relation leads to one of the given nodes, or more nodes. */
  sources(relation: Relation, nodes: Terms): Terms {
    if (nodes.size === 0 || this.#isOver) return nothing;
    switch (relation.kind) {
      case 'self':
        return nodes;
      case 'nothing':
        return nothing;
      case 'step':
        return this.#sourcesOfStep(relation, nodes);
      case 'constant':
        if (nodes.has(this.#changes.find(relation.term))) this.giveUp();
        return nothing;
      case 'sequence':
        return relation.parts.reduceRight((after, part) => this.sources(part, after), nodes);
      case 'either':
        return this.#union(relation.parts.map((part) => this.sources(part, nodes)));
      case 'repeat':
        return this.#sourcesOfRepeat(relation.part, relation.most, nodes);
      case 'untraceable':
        if (!relation.onlyLiterals || [...nodes].some((id) => this.isLiteral(id))) this.giveUp();
        return nothing;
    }
  }

  /** Whether a step follows the predicate. */
  follows(predicates: Predicates, predicate: TermId): boolean {
    switch (predicates.kind) {
      case 'any':
        return true;
      case 'one':
        return this.#changes.find(`<${predicates.iri}>`) === predicate;
      case 'below':
        return this.descendants(predicates.iri).has(predicate);
      case 'members':
        return this.#isMember(predicate);
    }
  }

  /** Returns the property and its declared sub-properties. */
  descendants(iri: string): Terms {
    let known = this.#descendants.get(iri);
    if (known === undefined) {
      const declares: Step = {
        kind: 'step',
        predicates: { kind: 'one', iri: SUB_PROPERTY_OF },
        forward: true,
        fromLiterals: false,
      };
      const property = new Set([this.#changes.find(`<${iri}>`)]);
      known = this.#sourcesOfRepeat(declares, Number.POSITIVE_INFINITY, property);
      this.#descendants.set(iri, known);
    }
    return known;
  }

  isLiteral(id: TermId): boolean {
    if (id > this.#changes.termCount) return this.#changes.text(id).startsWith('"');
    const { bytes } = this.#graph.terms;
    return bytes[this.#graph.terms.start(id)] === QUOTE;
  }

  #sourcesOfStep(step: Step, nodes: Terms): Terms {
    const sources = new Set<TermId>();
    const listed = this.#idsOf(step.predicates);
    for (const id of nodes) {
      if (id > this.#changes.termCount) continue;
      for (const predicate of listed ?? [ANY]) {
        if (listed && predicate === NO_TERM) continue;
        this.#addSources(step, predicate, id, sources);
        if (sources.size > this.#left) this.giveUp();
        if (this.#isOver) return nothing;
      }
    }
    this.#left -= sources.size;
    if (!step.forward && !step.fromLiterals) {
      for (const id of sources) if (this.isLiteral(id)) sources.delete(id);
    }
    return sources;
  }

  /** Returns undefined for predicates that cannot be listed. */
  #idsOf(predicates: Predicates): Iterable<TermId> | undefined {
    switch (predicates.kind) {
      case 'one':
        return [this.#graph.find(`<${predicates.iri}>`)];
      case 'below':
        return this.descendants(predicates.iri);
      default:
        return undefined;
    }
  }

  /** @param predicate `ANY` for those that the step follows */
  #addSources({ forward, predicates }: Step, predicate: TermId, node: TermId, into: Set<TermId>): void {
    const links = forward
      ? this.#graph.linksTo(node, predicate, this.#allowance)
      : this.#graph.linksFrom(node, predicate, this.#allowance);
    if (!links) {
      this.giveUp();
      return;
    }
    for (let i = 0; i < links.length; i += 2) {
      if (predicates.kind !== 'members' || this.#isMember(links[i]!)) into.add(links[i + 1]!);
    }
  }

  #isMember(predicate: TermId): boolean {
    let known = this.#members.get(predicate);
    if (known === undefined) {
      known = memberPredicate.test(this.#changes.text(predicate));
      this.#members.set(predicate, known);
    }
    return known;
  }

  #sourcesOfRepeat(part: Relation, most: number, nodes: Terms): Terms {
    const found = new Set(nodes);
    let level = nodes;
    for (let depth = 0; depth < most && level.size > 0 && !this.#isOver; depth++) {
      const next = new Set<TermId>();
      for (const id of this.sources(part, level)) {
        if (!found.has(id)) next.add(id);
        found.add(id);
      }
      level = next;
    }
    return found;
  }

  #union(sets: readonly Terms[]): Terms {
    if (sets.length === 1) return sets[0]!;
    const all = new Set<TermId>();
    for (const set of sets) for (const id of set) all.add(id);
    return all;
  }
}

const QUOTE = 0x22;
