import { createHash } from 'node:crypto';
import { ldpEntry } from '../../ldp/registry.ts';
import { graphNameOf } from '../../rdf/model/graph-name.ts';
import type { IriPatterns } from '../../rdf/model/resources/iri-patterns.ts';
import { NO_TERM, type TermId } from '../../rdf/model/term-id.ts';
import type { GraphInfo } from '../../snapshot/graphs/table.ts';
import { DescriptionCursor, tripleDigest } from '../../snapshot/read/description.ts';
import type { SnapshotReader } from '../../snapshot/read/reader.ts';
import { lastRemoval } from './removal-marks.ts';

/** The state of a resource's description in a snapshot. */
export interface DescriptionState {
  /**
   * Number of the last commit that removed triples from the resource by its name, or changed it in
   * the LDP space; 0 if there is none, and for a client that sees only some graphs, since what was
   * removed may have been hidden from it.
   */
  readonly sequence: number;
  /** Digest of its triples: 32 hexadecimal digits. */
  readonly digest: string;
  /** Names of the graphs that contain a triple of it. */
  readonly graphs: readonly string[];
}

/** The rows of graphs. */
export interface Graphs {
  get(name: string): GraphInfo | undefined;
}

/** `visible`: what the client sees; undefined if it sees everything. */
export function readDescriptionState(
  reader: SnapshotReader,
  resource: TermId,
  visible?: IriPatterns,
): DescriptionState {
  const cursor = new DescriptionCursor(reader.visibleTo(visible), resource);
  const digest = tripleDigest(cursor, (term) => reader.text(term));
  const graphs = Array.from(cursor.graphs, (id) => graphNameOf(reader.text(id)));
  return { sequence: visible ? 0 : lastChange(reader, resource), digest, graphs };
}

function lastChange(reader: SnapshotReader, resource: TermId): number {
  if (resource === NO_TERM) return 0;
  const removed = lastRemoval(reader, resource);
  const entry = ldpEntry(reader, reader.text(resource).slice(1, -1));
  return entry === undefined || entry === 'gone' ? removed : Math.max(removed, entry.sequence);
}

const DIGEST_DIGITS = 32;

/**
 * Returns the `<state>` of the entity tags of a description (http-api G-71, G-72). It depends on
 * the triples, on what was removed from the resource by its name, and on one graph: the one with
 * some of the triples that has lost nothing for the longest time. So the tag stays the same while
 * the triples stay where they are. Once all of them have been gone, it never returns to an earlier
 * value, because the graph that contains them then has lost something since, or is another graph.
 * `stateOf` returns the state of a commit's number.
 */
export function descriptionTag(
  { sequence, digest, graphs: holders }: DescriptionState,
  graphs: Graphs,
  stateOf: (sequence: number) => string,
): string {
  const text = `${digest} ${steadiest(holders, graphs)}`;
  return stateOf(sequence) + createHash('sha256').update(text).digest('hex').slice(0, DIGEST_DIGITS);
}

/** Among graphs with the same `since`, the first by name. */
function steadiest(holders: readonly string[], graphs: Graphs): string {
  const known = holders.map((name) => ({ name, since: graphs.get(name)?.since ?? 0 }));
  const [first] = known.sort((a, b) => a.since - b.since || (a.name < b.name ? -1 : 1));
  return first ? `${first.name} ${first.since}` : '';
}
