/**
 * What the store keeps of the LDP space (http-api section 5):
 *
 * - user triples in the graph that is named by the resource;
 * - public managed triples of all resources (types, dates, containment, membership, configuration) in one graph, which
 *   is part of the union of all graphs, but is no context;
 * - in the system graph one row a URI: `<X> <urn:x-pathpool:ldp> "kind sequence modified"` (numbers in base 36), or
 *   `"gone"` for good once it was deleted; `<child> <urn:x-pathpool:ldpMember> <M>` for each membership triple that was
 *   made for a child; and how many children a membership triple was made for, where there are several (see
 *   `ldp-support.ts`).
 */
import { parseTerm } from '../graph/term.ts';
import { NO_TERM, type TermId } from '../graph/term-id.ts';
import type { LdpKind } from '../ldp/model.ts';
import type { SnapshotReader } from '../snapshot/reader.ts';

/** Name of the graph of public managed triples. */
export const LDP_GRAPH = 'urn:x-pathpool:ldp-managed';

export const LDP_ROW = '<urn:x-pathpool:ldp>';
export const LDP_MEMBER = '<urn:x-pathpool:ldpMember>';

/** The value of the row of what was deleted. */
export const GONE = 'gone';

/** What there is at a URI of the LDP space. */
export interface LdpEntry {
  readonly kind: LdpKind;
  /** Number of the commit that changed its representation last: its entity tags' `<state>` is made of it. */
  readonly sequence: number;
  /** Milliseconds since 1970. */
  readonly modified: number;
}

/** `gone`: there was something, and there will never be anything again (http-api L-6). Undefined: there never was. */
export function ldpEntry(reader: SnapshotReader, uri: string): LdpEntry | 'gone' | undefined {
  const subject = reader.find(`<${uri}>`);
  if (subject === NO_TERM) return undefined;
  const found: TermId[] = [];
  reader.books.objects(subject, reader.find(LDP_ROW), found);
  return found[0] === undefined ? undefined : parseRow(parseTerm(reader.text(found[0])).value);
}

/** The value of a row for a live resource. */
export function ldpRow({ kind, sequence, modified }: LdpEntry): string {
  return `${kind} ${sequence.toString(36)} ${modified.toString(36)}`;
}

/** The same row with another commit number. */
export function withSequence(row: string, sequence: number): string {
  const entry = parseRow(row);
  return entry === GONE ? GONE : ldpRow({ ...entry, sequence });
}

function parseRow(row: string): LdpEntry | 'gone' {
  if (row === GONE) return GONE;
  const [kind, sequence, modified] = row.split(' ') as [LdpKind, string, string];
  return { kind, sequence: Number.parseInt(sequence, 36), modified: Number.parseInt(modified, 36) };
}
