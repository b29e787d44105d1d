/** Which start resources belong to a declared set, and which did before a change. */
import type { ChangedTerms } from '../../rdf/model/changes/net-changes.ts';
import type { DeclaredStartSet } from '../../rdf/model/resources/start-set.ts';
import { RDF } from '../../rdf/model/term.ts';
import { NO_TERM, type TermId } from '../../rdf/model/term-id.ts';
import { isIriTerm } from '../../rdf/model/triple-term.ts';
import type { SearchedGraph } from './searched-graph.ts';

export class StartMembership {
  readonly #set: DeclaredStartSet;
  readonly #changes: ChangedTerms;
  readonly #type: TermId;
  /** The class or the graph; 0 for all subjects. */
  readonly #term: TermId;

  constructor(set: DeclaredStartSet, changes: ChangedTerms) {
    this.#set = set;
    this.#changes = changes;
    this.#type = changes.find(`<${RDF}type>`);
    this.#term = set.kind === 'subjects' ? NO_TERM : changes.find(`<${set.iri}>`);
  }

  /** Whether the term, which the dictionary still has, belongs to the set in that state. */
  has(id: TermId, graph: SearchedGraph): boolean {
    if (!isIriTerm(this.#changes.text(id))) return false;
    switch (this.#set.kind) {
      case 'type':
        return graph.has(id, this.#type, this.#term);
      case 'graph':
        return graph.within([this.#term]).isSubject(id);
      case 'subjects':
        return graph.isSubject(id);
    }
  }

  /** Returns the IRIs that the quads make members, each of them by itself. */
  madeBy(quads: readonly Uint32Array[]): Set<TermId> {
    const members = new Set<TermId>();
    for (const rows of quads) {
      for (let i = 0; i < rows.length; i += 4) if (this.#makes(rows, i)) members.add(rows[i]!);
    }
    for (const id of members) if (!isIriTerm(this.#changes.text(id))) members.delete(id);
    return members;
  }

  #makes(rows: Uint32Array, at: number): boolean {
    switch (this.#set.kind) {
      case 'type':
        return rows[at + 1] === this.#type && rows[at + 2] === this.#term;
      case 'graph':
        return rows[at + 3] === this.#term;
      case 'subjects':
        return true;
    }
  }
}
