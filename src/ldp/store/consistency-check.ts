import { formatTerm, iri, parseTerm } from '../../rdf/model/term.ts';
import type { TermId } from '../../rdf/model/term-id.ts';
import { LDP_GRAPH, SYSTEM_GRAPH_ID } from '../../snapshot/graphs/system-graph.ts';
import type { SnapshotReader } from '../../snapshot/read/reader.ts';
import { parentOf } from '../model/names.ts';
import { ldp } from '../model/vocabulary.ts';
import { LDP_ROW, ldpEntry } from '../registry.ts';

/**
 * Checks containment: every live resource except the root and descriptions is contained in its
 * parent and nowhere else, and nothing else is contained (http-api L-3, L-36, L-80). Returns one
 * line per finding.
 */
export function checkLdp(reader: SnapshotReader): string[] {
  return [...uncontained(reader), ...wronglyContained(reader)];
}

function uncontained(reader: SnapshotReader): string[] {
  const managed = reader.within([reader.find(formatTerm(iri(LDP_GRAPH)))]);
  const contains = reader.find(formatTerm(iri(ldp.contains)));
  const row = reader.find(LDP_ROW);
  const findings: string[] = [];
  const cursor = reader.graphCursor(SYSTEM_GRAPH_ID);
  while (cursor.next()) {
    if (cursor.predicate !== row) continue;
    const uri = parseTerm(reader.text(cursor.subject)).value;
    const parents: TermId[] = [];
    managed.subjects(contains, cursor.subject, parents);
    const names = parents.map((parent) => parseTerm(reader.text(parent)).value);
    if (names.some((name) => name !== parentOf(uri))) {
      findings.push(`<${uri}> is contained in ${names.map((name) => `<${name}>`).join(', ')}`);
    }
    if (names.length === 0 && belongsInContainer(reader, uri))
      findings.push(`<${uri}> is not in a container`);
  }
  return findings;
}

/** The root is the resource whose parent URI has no entry. */
function belongsInContainer(reader: SnapshotReader, uri: string): boolean {
  const entry = ldpEntry(reader, uri);
  if (entry === undefined || entry === 'gone' || entry.kind === 'description') return false;
  return ldpEntry(reader, parentOf(uri)) !== undefined;
}

function wronglyContained(reader: SnapshotReader): string[] {
  const contains = reader.find(formatTerm(iri(ldp.contains)));
  const findings: string[] = [];
  const cursor = reader.graphCursor(reader.find(formatTerm(iri(LDP_GRAPH))));
  while (cursor.next()) {
    if (cursor.predicate !== contains) continue;
    const child = parseTerm(reader.text(cursor.object)).value;
    const entry = ldpEntry(reader, child);
    if (entry === undefined || entry === 'gone' || entry.kind === 'description') {
      const parent = parseTerm(reader.text(cursor.subject)).value;
      findings.push(
        `<${parent}> contains <${child}>, which ${entry === 'gone' ? 'was deleted' : 'must not be in a container'}`,
      );
    }
  }
  return findings;
}
