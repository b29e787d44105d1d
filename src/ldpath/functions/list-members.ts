import { RDF } from '../../graph/term.ts';
import { NO_TERM, type TermId } from '../../graph/term-id.ts';
import type { EvaluationContext } from '../context.ts';

/**
 * The members of an RDF list or container, by place (ldpath 5.3). A place has several where a cell has several
 * `rdf:first`. Every cell is visited once, so cyclic lists end (Q-F14); a container ends at its first gap.
 */
export interface Members {
  readonly places: readonly (readonly TermId[])[];
  readonly isContainer: boolean;
}

export function membersOf(context: EvaluationContext, node: TermId): Members {
  const isContainer = containerTypes.some((type) => has(context, node, `${RDF}type`, type));
  return { places: isContainer ? containerPlaces(context, node) : listPlaces(context, node), isContainer };
}

/** `rdf:_1`, `rdf:_2`, ... until one is missing. */
export function containerPlaces(context: EvaluationContext, node: TermId): TermId[][] {
  const places: TermId[][] = [];
  for (;;) {
    context.work(1);
    const place = containerPlace(context, node, places.length);
    if (place.length === 0) return places;
    places.push(place);
  }
}

/** Counted from 0. */
export function containerPlace(context: EvaluationContext, node: TermId, index: number): TermId[] {
  return objects(context, node, `${RDF}_${index + 1}`);
}

/** Rdf:Alt too (Q-F7). */
const containerTypes = ['Bag', 'Seq', 'Alt'].map((name) => RDF + name);

function listPlaces(context: EvaluationContext, node: TermId): TermId[][] {
  const nil = context.graph.find(`<${RDF}nil>`);
  const places: TermId[][] = [];
  const seen = new Set<TermId>([nil]);
  const cells = [node];
  for (let cell = cells.pop(); cell !== undefined; cell = cells.pop()) {
    if (seen.has(cell)) continue;
    seen.add(cell);
    context.work(1);
    const place = objects(context, cell, `${RDF}first`);
    if (place.length > 0) places.push(place);
    for (const rest of objects(context, cell, `${RDF}rest`).reverse()) cells.push(rest);
  }
  return places;
}

function objects(context: EvaluationContext, subject: TermId, predicate: string): TermId[] {
  const into: TermId[] = [];
  context.graph.objects(subject, context.graph.find(`<${predicate}>`), into);
  return into;
}

function has(context: EvaluationContext, subject: TermId, predicate: string, object: string): boolean {
  const { graph } = context;
  const [predicateId, objectId] = [graph.find(`<${predicate}>`), graph.find(`<${object}>`)];
  return predicateId !== NO_TERM && objectId !== NO_TERM && graph.has(subject, predicateId, objectId);
}
