import { type IriPatterns, matchesPatterns } from '../../rdf/model/resources/iri-patterns.ts';
import { NO_TERM, type TermId } from '../../rdf/model/term-id.ts';
import type { Dictionary } from '../dictionary/dictionary.ts';
import { isServerGraph, SYSTEM_GRAPH_ID } from '../graphs/system-graph.ts';
import type { GraphFilter } from './view.ts';

/** Graphs that are remembered. */
const MAX_KNOWN = 10_000;

/**
 * The graphs whose names match patterns, without those of the server: what these say about others
 * is not sorted by who may read it. A name is compared when its graph is first met, so that a
 * reader costs nothing for graphs that no request touches, and again only if many others were met
 * since.
 */
export class VisibleGraphs implements GraphFilter {
  readonly #terms: Dictionary;
  readonly #patterns: IriPatterns;
  readonly #known = new Map<TermId, boolean>();
  /** Rows of one graph often follow each other. */
  #last: TermId = NO_TERM;
  #lastVisible = false;

  constructor(terms: Dictionary, patterns: IriPatterns) {
    this.#terms = terms;
    this.#patterns = patterns;
  }

  has(graph: TermId): boolean {
    if (graph === this.#last) return this.#lastVisible;
    if (graph === NO_TERM || graph === SYSTEM_GRAPH_ID) return false;
    let visible = this.#known.get(graph);
    if (visible === undefined) {
      const name = this.#terms.text(graph).slice(1, -1);
      visible = !isServerGraph(name) && matchesPatterns(this.#patterns, name);
      if (this.#known.size >= MAX_KNOWN) this.#known.clear();
      this.#known.set(graph, visible);
    }
    this.#last = graph;
    this.#lastVisible = visible;
    return visible;
  }
}
