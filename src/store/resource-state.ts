import { DescriptionCursor, descriptionState } from '../snapshot/description.ts';
import type { GraphInfo } from '../snapshot/graph-table.ts';
import type { SnapshotReader } from '../snapshot/reader.ts';
import type { CurrentState } from './precondition.ts';
import { contentOf, contentState, resourceExists } from './resource-books.ts';
import type { ResourcePrecondition } from './resource-operation.ts';

interface Graphs {
  get(name: string): GraphInfo | undefined;
}

/** What is there of a resource's description or content; undefined when there is none (http-api 3.6, 3.7). */
export function resourceState(
  { resource, aspect }: Pick<ResourcePrecondition, 'resource' | 'aspect'>,
  reader: SnapshotReader,
  graphs: Graphs,
): CurrentState | undefined {
  const id = reader.find(`<${resource}>`);
  if (aspect === 'content') {
    const content = contentOf(reader, id);
    return content && { state: contentState(content), modified: content.modified };
  }
  if (!resourceExists(reader, resource, (name) => graphs.get(name) !== undefined)) return undefined;
  const cursor = new DescriptionCursor(reader, id);
  const state = descriptionState(cursor, (term) => reader.text(term));
  const names = [...cursor.graphs].map((graph) => reader.text(graph).slice(1, -1));
  return { state, modified: newestOf(names, graphs) };
}

/** The newest modification time of graphs (G-73), 0 for none. */
export function newestOf(names: Iterable<string>, graphs: Graphs): number {
  let newest = 0;
  for (const name of names) newest = Math.max(newest, graphs.get(name)?.modified ?? 0);
  return newest;
}
