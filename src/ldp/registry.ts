/**
 * How the store represents the LDP space (http-api section 5):
 *
 * - user triples in the graph that has the resource's name;
 * - public managed triples of all resources (types, dates, containment, membership,
 *   configuration) in one graph, which is part of the union view but is not a context;
 * - in the system graph, one row per URI: `<X> <urn:x-pathpool:ldp> "kind sequence modified"`
 *   (numbers in base 36), or `"gone"` permanently after it was deleted;
 *   `<child> <urn:x-pathpool:ldpMember> <M>` for each membership triple that was made for a child;
 *   and the number of children that a membership triple was made for, if there are several (see
 *   `support.ts`).
 */
import { parseTerm } from '../rdf/model/term.ts';
import { NO_TERM, type TermId } from '../rdf/model/term-id.ts';
import type { SnapshotReader } from '../snapshot/read/reader.ts';
import type { LdpKind } from './model/kinds.ts';

export const LDP_ROW = '<urn:x-pathpool:ldp>';
export const LDP_MEMBER = '<urn:x-pathpool:ldpMember>';

/** The row value of a deleted resource. */
export const GONE = 'gone';

/** The LDP resource at a URI. */
export interface LdpEntry {
  readonly kind: LdpKind;
  /**
   * Number of the commit that last changed its representation; the `<state>` of its entity tags is
   * derived from it.
   */
  readonly sequence: number;
  /** Milliseconds since 1970. */
  readonly modified: number;
}

/**
 * Returns the entry of an LDP resource; `gone` if it was deleted, in which case its URI is never
 * used again (http-api L-6); undefined if it never existed.
 */
export function ldpEntry(reader: SnapshotReader, uri: string): LdpEntry | 'gone' | undefined {
  const subject = reader.find(`<${uri}>`);
  if (subject === NO_TERM) return undefined;
  const found: TermId[] = [];
  reader.registry.objects(subject, reader.find(LDP_ROW), found);
  return found[0] === undefined ? undefined : parseRow(parseTerm(reader.text(found[0])).value);
}

/** Returns the row value of a live resource. */
export function ldpRow({ kind, sequence, modified }: LdpEntry): string {
  return `${kind} ${sequence.toString(36)} ${modified.toString(36)}`;
}

/** Returns the same row with another commit number. */
export function withSequence(row: string, sequence: number): string {
  const entry = parseRow(row);
  return entry === GONE ? GONE : ldpRow({ ...entry, sequence });
}

/** Whether a row value is of a live binary. */
export function isBinaryRow(row: string): boolean {
  const entry = parseRow(row);
  return entry !== GONE && entry.kind === 'binary';
}

function parseRow(row: string): LdpEntry | 'gone' {
  if (row === GONE) return GONE;
  const [kind, sequence, modified] = row.split(' ') as [LdpKind, string, string];
  return { kind, sequence: Number.parseInt(sequence, 36), modified: Number.parseInt(modified, 36) };
}
