/**
 * The base of all URIs that the server makes (`--base`), as a data directory records it in the
 * system graph: `<urn:x-pathpool:system> <urn:x-pathpool:base> "http://…"`. Older versions did not
 * write that row, but created a root container for each base that they were started with.
 */

import { parentOf } from '../../ldp/model/names.ts';
import { LDP_ROW, ldpEntry } from '../../ldp/registry.ts';
import { parseTerm } from '../../rdf/model/term.ts';
import type { TermId } from '../../rdf/model/term-id.ts';
import { SYSTEM_GRAPH_ID } from '../../snapshot/graphs/system-graph.ts';
import type { SnapshotReader } from '../../snapshot/read/reader.ts';
import { hasBase } from './base-names.ts';
import { REMOVED } from './removal-marks.ts';

export const BASE_ROW = '<urn:x-pathpool:base>';

/** The root container of the LDP space of a base (http-api L-1). */
export function rootOf(base: string): string {
  return `${base}/ldp`;
}

/** The literal that holds the recorded base; undefined if none is recorded. */
export function baseRow(reader: SnapshotReader): TermId | undefined {
  const found: TermId[] = [];
  reader.registry.objects(SYSTEM_GRAPH_ID, reader.find(BASE_ROW), found);
  return found[0];
}

export function recordedBase(reader: SnapshotReader): string | undefined {
  const row = baseRow(reader);
  return row === undefined ? undefined : parseTerm(reader.text(row)).value;
}

/** The bases that have a root container: an LDP resource `…/ldp` without a parent. */
export function basesOfRoots(reader: SnapshotReader): string[] {
  const isRoot = (uri: string) =>
    uri === rootOf(parentOf(uri)) && ldpEntry(reader, parentOf(uri)) === undefined;
  return subjectsInRegistry(reader, LDP_ROW).filter(isRoot).map(parentOf);
}

/**
 * Whether any stored name starts with a base: an LDP resource, a deleted one, a graph, a registered
 * resource or one with content. An unused root container does not count, nor do triples that merely
 * mention such a name.
 */
export function dependsOn(reader: SnapshotReader, graphs: Iterable<string>, base: string): boolean {
  for (const graph of graphs) if (hasBase(graph, base)) return true;
  const root = rootOf(base);
  return subjectsInRegistry(reader).some((uri) => hasBase(uri, base) && uri !== root);
}

/**
 * The subjects of the system graph, or of its rows with one predicate. Removal marks do not count.
 */
function subjectsInRegistry(reader: SnapshotReader, predicate?: string): string[] {
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
