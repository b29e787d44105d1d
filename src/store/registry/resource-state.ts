import type { Validators } from '../../base/precondition.ts';
import type { SnapshotReader } from '../../snapshot/read/reader.ts';
import { descriptionTag, type Graphs, readDescriptionState } from './description-state.ts';
import type { ResourcePrecondition } from './resource-operation.ts';
import { contentOf, contentState, resourceExists } from './resource-registry.ts';

/**
 * Returns the validators of a resource's description or content; undefined if there is none
 * (http-api 3.6, 3.7). `stateOf` returns the state of a commit's number.
 */
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

/** Returns the newest modification time of graphs (G-73); 0 if there are none. */
export function newestOf(names: Iterable<string>, graphs: Graphs): number {
  let newest = 0;
  for (const name of names) newest = Math.max(newest, graphs.get(name)?.modified ?? 0);
  return newest;
}
