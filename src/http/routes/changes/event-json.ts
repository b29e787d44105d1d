import type { ChangeCount, ChangeEvent } from '../../../changes/messages.ts';

/** Returns the position of a commit. */
export type PositionOf = (commit: number) => string;

/**
 * Returns an event as JSON; undefined if it does not concern the graph.
 *
 * @param graph if given, other graphs are left out
 */
export function eventJson(
  event: ChangeEvent,
  positionOf: PositionOf,
  graph: string | undefined,
): string | undefined {
  const { commit, time, rows } = event;
  const graphs = graph === undefined ? event.graphs : event.graphs?.filter(({ name }) => name === graph);
  if (graph !== undefined && graphs?.length === 0) return undefined;
  return JSON.stringify({
    position: positionOf(commit),
    commit,
    time: new Date(time).toISOString(),
    ...(graphs && { graphs: graphs.map(graphJson) }),
    ...(rows && { patch: rows.patch, part: rows.part, ...(!rows.isLast && { more: true }) }),
  });
}

function graphJson({ name: graph, added, removed }: ChangeCount) {
  return { graph, added, removed };
}

/** Whether a commit is complete with an event. */
export function isComplete({ rows }: ChangeEvent): boolean {
  return rows === undefined || rows.isLast;
}
