import type { Validators } from '../condition.ts';
import type { SnapshotReader } from '../snapshot/reader.ts';
import { descriptionTag, type Graphs, readDescriptionState } from './description-state.ts';
import { contentOf, contentState, resourceExists } from './resource-books.ts';
import type { ResourcePrecondition } from './resource-operation.ts';

/** What is there of a resource's description or content; undefined when there is none (http-api 3.6, 3.7). `stateOf`: the state of a commit's number. */
export function resourceState(
  { resource, aspect }: Pick<ResourcePrecondition, 'resource' | 'aspect'>,
  reader: SnapshotReader,
  graphs: Graphs,
  stateOf: (sequence: number) => string,
): Validators | undefined {
  const id = reader.find(`<${resource}>`);
  if (aspect === 'content') {
    const content = contentOf(reader, id);
    return content && { state: contentState(content, stateOf), modified: content.modified };
  }
  if (!resourceExists(reader, resource, (name) => graphs.get(name) !== undefined)) return undefined;
  const found = readDescriptionState(reader, id);
  return { state: descriptionTag(found, graphs, stateOf), modified: newestOf(found.graphs, graphs) };
}

/** The newest modification time of graphs (G-73), 0 for none. */
export function newestOf(names: Iterable<string>, graphs: Graphs): number {
  let newest = 0;
  for (const name of names) newest = Math.max(newest, graphs.get(name)?.modified ?? 0);
  return newest;
}
