import type { TracedPlace } from './traced-place.ts';
import type { WalkOrder } from './walk-order.ts';

/** An edge between numbered nodes. */
export interface RecordedEdge {
  readonly from: number;
  readonly to: number;
  readonly predicate: string;
  readonly inverse: boolean;
  readonly place: TracedPlace;
}

/** Where the ways of a field end. */
export interface Ends {
  readonly name: string;
  /** Undefined if any order is possible. */
  readonly order: WalkOrder | undefined;
  readonly results: ReadonlySet<number>;
  /** Arguments of functions. */
  readonly inputs: ReadonlySet<number>;
}

/** Returns the edges of the field on ways to its results and to arguments of its functions. */
export function usedEdges(edges: readonly RecordedEdge[], field: Ends): RecordedEdge[] {
  const own = edges.filter(({ place }) => place.field === field.name && !place.test);
  const byEnd = groupedByEnd(own);
  const used = new Set(own.filter((edge) => isLast(edge, field)));
  for (const edge of used) {
    for (const earlier of byEnd.get(edge.from) ?? []) {
      if (mayFollow(earlier, edge, field.order)) used.add(earlier);
    }
  }
  return [...used];
}

function isLast({ to, place }: RecordedEdge, { order, results, inputs }: Ends): boolean {
  const { construct } = place;
  if (results.has(to) && (order?.last.has(construct) ?? true)) return true;
  return inputs.has(to) && (order?.lastOfArgument.has(construct) ?? true);
}

function groupedByEnd(edges: readonly RecordedEdge[]): Map<number, RecordedEdge[]> {
  const groups = new Map<number, RecordedEdge[]>();
  for (const edge of edges) {
    const group = groups.get(edge.to);
    if (group === undefined) groups.set(edge.to, [edge]);
    else group.push(edge);
  }
  return groups;
}

function mayFollow(earlier: RecordedEdge, later: RecordedEdge, order: WalkOrder | undefined): boolean {
  if (order === undefined) return true;
  return order.before.get(later.place.construct)?.has(earlier.place.construct) ?? false;
}
