import { createHash } from 'node:crypto';
import type { Validators } from '../../base/precondition.ts';
import { type IriPatterns, matchesPatterns } from '../../rdf/model/resources/iri-patterns.ts';
import { isServerGraph } from '../../snapshot/graphs/system-graph.ts';
import type { GraphInfo } from '../../snapshot/graphs/table.ts';
import { isWithin } from '../graphs/protected-graphs.ts';

/**
 * The graphs of the data set: all that can be contexts, except those of a space that only its own
 * interface may change, and those that are hidden from a client.
 */
export interface DatasetScope {
  /** Without a trailing slash. */
  readonly ldpSpace: string;
  /** Names of what the client sees; absent if it sees everything. */
  readonly visible?: IriPatterns;
}

/** Whether a graph belongs to the data set that can be read and replaced as a whole. */
export function isInDataset(name: string, { ldpSpace, visible }: DatasetScope): boolean {
  if (isServerGraph(name) || isWithin(name, ldpSpace)) return false;
  return visible === undefined || matchesPatterns(visible, name);
}

export interface DatasetState extends Validators {
  /** The graphs, including empty ones. */
  readonly graphs: readonly string[];
}

/**
 * Returns the state of the data set. The newest commit among its graphs and their number determine
 * it: without a newer commit, graphs can only disappear, and each one that does reduces the number.
 */
export function datasetState(
  rows: Iterable<readonly [name: string, info: GraphInfo]>,
  scope: DatasetScope,
  stateOf: (sequence: number) => string,
): DatasetState {
  const graphs: string[] = [];
  let newest = 0;
  let modified = 0;
  for (const [name, info] of rows) {
    if (!isInDataset(name, scope)) continue;
    graphs.push(name);
    newest = Math.max(newest, info.sequence);
    modified = Math.max(modified, info.modified);
  }
  const state = `${stateOf(newest)}n${graphs.length.toString(36)}`;
  return { graphs, state: state + suffixOf(scope), modified };
}

/** Clients that see different graphs must not take one's tag for the other's. */
function suffixOf({ visible }: DatasetScope): string {
  return visible ? `v${createHash('sha256').update(visible.key).digest('hex').slice(0, 16)}` : '';
}
