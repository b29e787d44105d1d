/**
 * The base of all URIs that the server makes (`--base`), as a data directory knows it: in the system
 * graph `<urn:x-pathpool:system> <urn:x-pathpool:base> "http://…"`. Directories of older versions lack
 * that row, but each base that they were started with has made a root container.
 */
import { parseTerm } from '../graph/term.ts';
import type { TermId } from '../graph/term-id.ts';
import { parentOf } from '../ldp/names.ts';
import type { SnapshotReader } from '../snapshot/reader.ts';
import { SYSTEM_GRAPH_ID } from '../snapshot/system-graph.ts';
import { LDP_ROW, ldpEntry } from './ldp-books.ts';
import { isWithin } from './protected-graphs.ts';
import { REMOVED } from './removal-marks.ts';

export const BASE_ROW = '<urn:x-pathpool:base>';

/** The root container of the LDP space of a base (http-api L-1). */
export function rootOf(base: string): string {
  return `${base}/ldp`;
}

/** The literal that holds the recorded base; undefined while there is none. */
export function baseRow(reader: SnapshotReader): TermId | undefined {
  const found: TermId[] = [];
  reader.books.objects(SYSTEM_GRAPH_ID, reader.find(BASE_ROW), found);
  return found[0];
}

export function recordedBase(reader: SnapshotReader): string | undefined {
  const row = baseRow(reader);
  return row === undefined ? undefined : parseTerm(reader.text(row)).value;
}

/** The bases for which there are root containers. A root is known by that nothing is known of what is above it. */
export function basesOfRoots(reader: SnapshotReader): string[] {
  const isRoot = (uri: string) =>
    uri === rootOf(parentOf(uri)) && ldpEntry(reader, parentOf(uri)) === undefined;
  return subjectsInBooks(reader, LDP_ROW).filter(isRoot).map(parentOf);
}

/**
 * Whether something has a name that begins with a base: a resource of the LDP space, one that was deleted
 * there, a graph, a resource with content or one that was created. A root container that nobody has used
 * does not count, nor does data that only mentions such names.
 */
export function dependsOn(reader: SnapshotReader, graphs: Iterable<string>, base: string): boolean {
  for (const graph of graphs) if (isWithin(graph, base)) return true;
  const root = rootOf(base);
  return subjectsInBooks(reader).some((uri) => isWithin(uri, base) && uri !== root);
}

/** The subjects of the system graph, or of its rows with a predicate; not those of which only removals are noted. */
function subjectsInBooks(reader: SnapshotReader, predicate?: string): string[] {
  const wanted = predicate === undefined ? undefined : reader.find(predicate);
  const ignored = reader.find(REMOVED);
  const subjects = new Set<TermId>();
  const cursor = reader.graphCursor(SYSTEM_GRAPH_ID);
  while (cursor.next()) {
    if (cursor.predicate === (wanted ?? cursor.predicate) && cursor.predicate !== ignored) {
      subjects.add(cursor.subject);
    }
  }
  return Array.from(subjects, (subject) => reader.text(subject).slice(1, -1));
}
