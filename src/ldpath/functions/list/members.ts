import { RDF } from '../../../rdf/model/term.ts';
import { NO_TERM, type TermId } from '../../../rdf/model/term-id.ts';
import type { EvaluationContext } from '../../evaluate/context.ts';

/** The members of an RDF list or container at one index, counted from 0. */
export interface Place {
  readonly index: number;
  readonly members: readonly TermId[];
}

/**
 * Returns the members of an RDF list or container from the index `start` up to, not including,
 * `end` (ldpath 5.3).
 *
 * A cell with several `rdf:first` has several members at one index, and a cell without `rdf:first`
 * has none. If a cell has several `rdf:rest`, all are followed, one after the other, so indexes can
 * repeat. Every cell is visited once, so cyclic lists end (Q-F14). A container ends at the first
 * gap after `start`, and has nothing before its first index.
 */
export function placesOf(context: EvaluationContext, node: TermId, start: number, end: number): Place[] {
  if (!isContainer(context, node))
    return listPlaces(context, node, end).filter(({ index }) => index >= start);
  return start < 0 ? [] : containerPlaces(context, node, start, end);
}

/** Whether a node has the type of a container; includes rdf:Alt (Q-F7). */
function isContainer(context: EvaluationContext, node: TermId): boolean {
  return containerTypes.some((type) => has(context, node, `${RDF}type`, type));
}

const containerTypes = ['Bag', 'Seq', 'Alt'].map((name) => RDF + name);

/**
 * Returns the values of `rdf:_1`, `rdf:_2`, ... until one is missing; `start` and `end` are counted
 * from 0.
 */
export function containerPlaces(
  context: EvaluationContext,
  node: TermId,
  start: number,
  end: number,
): Place[] {
  const places: Place[] = [];
  for (let index = start; index < end; index++) {
    context.work(1);
    const members = objects(context, node, `${RDF}_${index + 1}`);
    if (members.length === 0) break;
    places.push({ index, members });
  }
  return places;
}

function listPlaces(context: EvaluationContext, node: TermId, end: number): Place[] {
  const nil = context.graph.find(`<${RDF}nil>`);
  const places: Place[] = [];
  const seen = new Set<TermId>([nil]);
  const cells = [{ cell: node, index: 0 }];
  for (let next = cells.pop(); next !== undefined; next = cells.pop()) {
    const { cell, index } = next;
    if (seen.has(cell) || index >= end) continue;
    seen.add(cell);
    context.work(1);
    places.push({ index, members: objects(context, cell, `${RDF}first`) });
    for (const rest of objects(context, cell, `${RDF}rest`).reverse()) {
      cells.push({ cell: rest, index: index + 1 });
    }
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
