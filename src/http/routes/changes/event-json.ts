import type { ChangeCount, ChangeEvent } from '../../../changes/messages.ts';

/** Text of JSON in pieces; those that are bytes are in UTF-8 already. */
export type JsonPieces = readonly (string | Uint8Array)[];

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
): JsonPieces | undefined {
  const { commit, time, rows } = event;
  const graphs = graph === undefined ? event.graphs : event.graphs?.filter(({ name }) => name === graph);
  if (graph !== undefined && graphs?.length === 0) return undefined;
  const json = JSON.stringify({
    position: positionOf(isComplete(event) ? commit : commit - 1),
    commit,
    time: new Date(time).toISOString(),
    ...(graphs && { graphs: graphs.map(graphJson) }),
  });
  if (!rows) return [json];
  const end = `,"part":${rows.part}${rows.isLast ? '' : ',"more":true'}}`;
  return [`${json.slice(0, -1)},"patch":`, rows.json, end];
}

export function bytesOf(pieces: JsonPieces): Uint8Array {
  const parts: Uint8Array[] = [];
  let text = '';
  for (const piece of pieces) {
    if (typeof piece === 'string') {
      text += piece;
      continue;
    }
    parts.push(Buffer.from(text), piece);
    text = '';
  }
  return Buffer.concat([...parts, Buffer.from(text)]);
}

function graphJson({ name: graph, added, removed }: ChangeCount) {
  return { graph, added, removed };
}

/** Whether a commit is complete with an event. */
export function isComplete({ rows }: ChangeEvent): boolean {
  return rows === undefined || rows.isLast;
}
