import { type IriPatterns, matchesPatterns } from '../../rdf/model/resources/iri-patterns.ts';
import { NO_TERM, type TermId } from '../../rdf/model/term-id.ts';
import type { Dictionary } from '../dictionary/dictionary.ts';
import { SYSTEM_GRAPH_ID } from '../graphs/system-graph.ts';
import type { GraphFilter } from './view.ts';

/**
 * The graphs whose names match patterns, without the system graph. Each name is compared once, when
 * its graph is first met, so that a reader costs nothing for graphs that no request touches.
 */
export class VisibleGraphs implements GraphFilter {
  readonly #terms: Dictionary;
  readonly #patterns: IriPatterns;
  readonly #known = new Map<TermId, boolean>([
    [NO_TERM, false],
    [SYSTEM_GRAPH_ID, false],
  ]);
  /** Rows of one graph often follow each other. */
  #last: TermId = NO_TERM;
  #lastVisible = false;

  constructor(terms: Dictionary, patterns: IriPatterns) {
    this.#terms = terms;
    this.#patterns = patterns;
  }

  has(graph: TermId): boolean {
    if (graph === this.#last) return this.#lastVisible;
    let visible = this.#known.get(graph);
    if (visible === undefined) {
      visible = matchesPatterns(this.#patterns, this.#terms.text(graph).slice(1, -1));
      this.#known.set(graph, visible);
    }
    this.#last = graph;
    this.#lastVisible = visible;
    return visible;
  }
}
