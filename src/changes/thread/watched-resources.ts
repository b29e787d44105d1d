import { ldp } from '../../ldp/model/vocabulary.ts';
import { LDP_GRAPH, LDP_ROW } from '../../ldp/registry.ts';
import { type IriPatterns, matchesPatterns } from '../../rdf/model/resources/iri-patterns.ts';
import { RDF } from '../../rdf/model/term.ts';
import { SYSTEM_GRAPH } from '../../snapshot/graphs/system-graph.ts';
import type { ChangeCount } from '../messages.ts';
import { type RowCursor, termOf } from './row-cursor.ts';

interface Counter {
  readonly name: string;
  added: number;
  removed: number;
  /** By a row that is more than a date or a state. */
  isChanged: boolean;
  /** Its date or state is another one. */
  isDated: boolean;
  /** By a row that is hidden from the client: one about a hidden member. */
  isHiddenChange: boolean;
}

const unchanged = { isChanged: false, isDated: false, isHiddenChange: false };
const CONTAINS = `<${ldp.contains}>`;
const TYPE = `<${RDF}type>`;

/**
 * Counts the changed triples of resources of the LDP space: those in their graphs, and those that
 * the server manages. A resource has changed, too, if only its state in the registry has; but not
 * if that is because of a member that is hidden (http-api G-163).
 */
export class WatchedResources {
  readonly #counters: ReadonlyMap<string, Counter>;
  readonly #visible: IriPatterns | undefined;

  /** `resources`: URIs; `visible`: the members that are not hidden. */
  constructor(resources: readonly string[], visible: IriPatterns | undefined) {
    this.#visible = visible;
    this.#counters = new Map(resources.map((name) => [name, { name, added: 0, removed: 0, ...unchanged }]));
  }

  /** Counts the current row, which is in this graph. */
  add(row: RowCursor, graph: string): void {
    const counter = this.#counterOf(row, graph);
    if (!counter) return;
    if (graph === SYSTEM_GRAPH) {
      counter.isDated = true;
      return;
    }
    if (graph === LDP_GRAPH && this.#visible) {
      const kind = kindOf(row, this.#visible);
      counter[kind] = true;
      if (kind === 'isHiddenChange') return;
    } else counter.isChanged = true;
    if (row.removed) counter.removed++;
    else counter.added++;
  }

  get changed(): ChangeCount[] {
    return [...this.#counters.values()]
      .filter(({ isChanged, isDated, isHiddenChange }) => isChanged || (isDated && !isHiddenChange))
      .map(({ name, added, removed }) => ({ name, added, removed }));
  }

  #counterOf(row: RowCursor, graph: string): Counter | undefined {
    const isState = graph === SYSTEM_GRAPH && termOf(row, 1) === LDP_ROW;
    if (isState || graph === LDP_GRAPH) return this.#counters.get(termOf(row, 0).slice(1, -1));
    return this.#counters.get(graph);
  }
}

/**
 * Returns what a triple that the server manages says about a resource, for a client. A row does not
 * say which child a membership triple was added for, which may be hidden, so none of them counts
 * (G-166).
 */
function kindOf(row: RowCursor, visible: IriPatterns): 'isChanged' | 'isDated' | 'isHiddenChange' {
  const object = termOf(row, 2);
  if (!object.startsWith('<')) return 'isDated';
  const predicate = termOf(row, 1);
  if (predicate === TYPE) return 'isChanged';
  const isSeen = predicate === CONTAINS && matchesPatterns(visible, object.slice(1, -1));
  return isSeen ? 'isChanged' : 'isHiddenChange';
}
