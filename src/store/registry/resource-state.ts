import type { Validators } from '../../base/precondition.ts';
import { matchesPatterns } from '../../rdf/model/resources/iri-patterns.ts';
import type { SnapshotReader } from '../../snapshot/read/reader.ts';
import { descriptionTag, type Graphs, readDescriptionState } from './description-state.ts';
import type { ResourcePrecondition } from './resource-operation.ts';
import { contentOf, contentState, existsWithin, resourceExists } from './resource-registry.ts';

/**
 * Returns the validators of a resource's description, of its content, or of both, as far as they
 * exist (http-api 3.6, 3.7). `stateOf` returns the state of a commit's number.
 */
export function resourceStates(
  { resource, aspect, visible }: Pick<ResourcePrecondition, 'resource' | 'aspect' | 'visible'>,
  reader: SnapshotReader,
  graphs: Graphs,
  stateOf: (sequence: number) => string,
): Validators[] {
  const id = reader.find(`<${resource}>`);
  const states: Validators[] = [];
  const showsContent = visible === undefined || matchesPatterns(visible, resource);
  const content = aspect === 'description' || !showsContent ? undefined : contentOf(reader, id);
  if (content) states.push({ state: contentState(content, stateOf), modified: content.modified });
  if (aspect === 'content') return states;
  const isGraph = (name: string) => graphs.get(name) !== undefined;
  const exists = visible
    ? existsWithin(visible, reader, resource, isGraph)
    : resourceExists(reader, resource, isGraph);
  if (!exists) return states;
  const found = readDescriptionState(reader, id, visible);
  const state = descriptionTag(found, graphs, stateOf);
  return [...states, { state, modified: newestOf(found.graphs, graphs) }];
}

/** Returns the newest modification time of graphs (G-73); 0 if there are none. */
export function newestOf(names: Iterable<string>, graphs: Graphs): number {
  let newest = 0;
  for (const name of names) newest = Math.max(newest, graphs.get(name)?.modified ?? 0);
  return newest;
}
