import { ldpKinds } from '../../ldp/model/managed.ts';
import { descriptionOf } from '../../ldp/model/names.ts';
import { ldp, RDF_TYPE } from '../../ldp/model/vocabulary.ts';
import { isBinaryRow, LDP_ROW } from '../../ldp/registry.ts';
import { type IriPatterns, matchesPatterns } from '../../rdf/model/resources/iri-patterns.ts';
import { parseTerm } from '../../rdf/model/term.ts';
import { LDP_GRAPH, SYSTEM_GRAPH } from '../../snapshot/graphs/system-graph.ts';
import type { ChangeCount } from '../messages.ts';
import { type RowCursor, termOf } from './row-cursor.ts';

interface Counter {
  readonly name: string;
  added: number;
  removed: number;
  isChanged: boolean;
}

/** What a triple that the server manages is for a client: a date does not say what has changed. */
type Part = 'change' | 'date' | 'hidden';

const CONTAINS = `<${ldp.contains}>`;
const TYPE = `<${RDF_TYPE}>`;

/**
 * Counts the changed triples of resources of the LDP space: those in their graphs, and those that
 * the server manages. A resource has changed, too, if only its state in the registry has; but not
 * for a client that does not see all members, since a hidden one may be the reason (http-api
 * G-166).
 */
export class WatchedResources {
  readonly #counters: ReadonlyMap<string, Counter>;
  readonly #visible: IriPatterns | undefined;

  /** `resources`: URIs; `visible`: the members that are not hidden. */
  constructor(resources: readonly string[], visible: IriPatterns | undefined) {
    this.#visible = visible;
    this.#counters = new Map(
      resources.map((name) => [name, { name, added: 0, removed: 0, isChanged: false }]),
    );
  }

  /** Counts the current row, which is in this graph. */
  add(row: RowCursor, graph: string): void {
    if (graph === SYSTEM_GRAPH) {
      if (termOf(row, 1) === LDP_ROW) this.#addState(row);
      return;
    }
    const counter = this.#counters.get(graph === LDP_GRAPH ? iriOf(row, 0) : graph);
    if (!counter) return;
    const part = graph === LDP_GRAPH && this.#visible ? partOf(row, this.#visible) : 'change';
    if (part === 'hidden') return;
    if (part === 'change') counter.isChanged = true;
    if (row.removed) counter.removed++;
    else counter.added++;
  }

  get changed(): ChangeCount[] {
    return [...this.#counters.values()]
      .filter(({ isChanged }) => isChanged)
      .map(({ name, added, removed }) => ({ name, added, removed }));
  }

  /**
   * Members change the state of any resource except binaries. So only the state of a binary tells
   * something to clients that do not see all members: it and its description have changed.
   */
  #addState(row: RowCursor): void {
    const uri = iriOf(row, 0);
    if (this.#visible === undefined) this.#mark(uri);
    else if (isBinaryRow(parseTerm(termOf(row, 2)).value)) {
      this.#mark(uri);
      this.#mark(descriptionOf(uri));
    }
  }

  #mark(uri: string): void {
    const counter = this.#counters.get(uri);
    if (counter) counter.isChanged = true;
  }
}

/**
 * A row does not say which child a membership triple was added for, which may be hidden, so none of
 * them counts. Their relation may be rdf:type, but not with the types that the server states.
 */
function partOf(row: RowCursor, visible: IriPatterns): Part {
  if (!termOf(row, 2).startsWith('<')) return 'date';
  const object = iriOf(row, 2);
  const predicate = termOf(row, 1);
  if (predicate === TYPE) return ldpKinds.has(object) ? 'change' : 'hidden';
  return predicate === CONTAINS && matchesPatterns(visible, object) ? 'change' : 'hidden';
}

function iriOf(row: RowCursor, column: number): string {
  return termOf(row, column).slice(1, -1);
}
