/**
 * The stored prefixes (http-api 4.15): for each a row of the system graph,
 * `<urn:x-pathpool:prefix-table> <urn:x-pathpool:prefix:NAME> "commit modified namespace"`, with
 * the numbers in base 36. One more row, under the predicate `<urn:x-pathpool:prefix-table>`,
 * changes with each of them, so that every thread notices a change with one look-up.
 */

import type { Validators } from '../../base/precondition.ts';
import { type ErrorData, errorData } from '../../errors.ts';
import { formatTerm, literal, parseTerm } from '../../rdf/model/term.ts';
import { NO_TERM, type TermId } from '../../rdf/model/term-id.ts';
import type { SnapshotReader } from '../../snapshot/read/reader.ts';
import type { PrefixOperation } from './prefix-operation.ts';

/** The most stored prefixes: every thread keeps all of them in memory. */
export const MAX_STORED_PREFIXES = 10_000;

/** Subject of all rows, and predicate of the row with the state. */
export const PREFIX_TABLE = '<urn:x-pathpool:prefix-table>';
const PREDICATE_START = '<urn:x-pathpool:prefix:';

export interface PrefixRow {
  /** Number of the commit that last changed the prefix. */
  readonly sequence: number;
  /** Milliseconds since 1970. */
  readonly modified: number;
  readonly namespace: string;
}

export interface PrefixTableState {
  /** Number of the commit that last changed a prefix; 0 if none was ever stored. */
  readonly sequence: number;
  /** Number of the commit that last removed one; 0 for none. */
  readonly removed: number;
  /** How many prefixes are stored. */
  readonly count: number;
}

const neverStored: PrefixTableState = { sequence: 0, removed: 0, count: 0 };

/** The predicate of a prefix's row. Names need no escapes in an IRI. */
export function prefixPredicate(prefix: string): string {
  return `${PREDICATE_START}${prefix}>`;
}

/** Returns the literal with the state; `NO_TERM` if no prefix was ever stored. */
export function prefixStateTerm(reader: SnapshotReader): TermId {
  const table = reader.find(PREFIX_TABLE);
  return table === NO_TERM ? NO_TERM : objectOf(reader, table, table);
}

export function prefixTableState(reader: SnapshotReader): PrefixTableState {
  const term = prefixStateTerm(reader);
  return term === NO_TERM ? neverStored : parsePrefixState(reader.text(term));
}

/** Returns the literal with the row of a prefix; `NO_TERM` if it is not stored. */
export function prefixTerm(reader: SnapshotReader, prefix: string): TermId {
  const table = reader.find(PREFIX_TABLE);
  const predicate = table === NO_TERM ? NO_TERM : reader.find(prefixPredicate(prefix));
  return predicate === NO_TERM ? NO_TERM : objectOf(reader, table, predicate);
}

export function prefixRow(reader: SnapshotReader, prefix: string): PrefixRow | undefined {
  const term = prefixTerm(reader, prefix);
  return term === NO_TERM ? undefined : parsePrefixRow(reader.text(term));
}

/** Returns all stored prefixes, in the order of their names. */
export function prefixRows(reader: SnapshotReader): Map<string, PrefixRow> {
  const table = reader.find(PREFIX_TABLE);
  if (table === NO_TERM) return new Map();
  // One look-up for each of them would take far longer.
  const links = reader.registry.linksFrom(table, NO_TERM, { quads: Number.POSITIVE_INFINITY }) ?? [];
  const rows: (readonly [prefix: string, row: PrefixRow])[] = [];
  for (let i = 0; i < links.length; i += 2) {
    const name = reader.text(links[i]!);
    if (!name.startsWith(PREDICATE_START)) continue;
    rows.push([name.slice(PREDICATE_START.length, -1), parsePrefixRow(reader.text(links[i + 1]!))]);
  }
  return new Map(rows.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function objectOf(reader: SnapshotReader, subject: TermId, predicate: TermId): TermId {
  const found: TermId[] = [];
  reader.registry.objects(subject, predicate, found);
  return found[0] ?? NO_TERM;
}

/** `term`: the literal, in canonical form. */
export function parsePrefixRow(term: string): PrefixRow {
  const [sequence = '', modified = '', namespace = ''] = parseTerm(term).value.split(' ');
  return { sequence: Number.parseInt(sequence, 36), modified: Number.parseInt(modified, 36), namespace };
}

/** Returns the literal with a row, in canonical form. */
export function formatPrefixRow({ sequence, modified, namespace }: PrefixRow): string {
  return formatTerm(literal(`${sequence.toString(36)} ${modified.toString(36)} ${namespace}`));
}

/** `term`: the literal, in canonical form. */
export function parsePrefixState(term: string): PrefixTableState {
  const [sequence = 0, removed = 0, count = 0] = parseTerm(term)
    .value.split(' ')
    .map((number) => Number.parseInt(number, 36));
  return { sequence, removed, count };
}

/** Returns the literal with a state, in canonical form. */
export function formatPrefixState({ sequence, removed, count }: PrefixTableState): string {
  return formatTerm(literal([sequence, removed, count].map((number) => number.toString(36)).join(' ')));
}

/** Returns the validators of a stored prefix; undefined if it is not stored. */
export function prefixState(
  reader: SnapshotReader,
  prefix: string,
  stateOf: (sequence: number) => string,
): Validators | undefined {
  const row = prefixRow(reader, prefix);
  return row && { state: stateOf(row.sequence), modified: row.modified };
}

/** Why an operation can't be done; undefined if it can. */
export function prefixRejection(reader: SnapshotReader, operation: PrefixOperation): ErrorData | undefined {
  if (operation.kind !== 'store-prefix') return undefined;
  if (prefixTableState(reader).count < MAX_STORED_PREFIXES) return undefined;
  return prefixTerm(reader, operation.prefix) === NO_TERM ? tooMany : undefined;
}

const tooMany = errorData(
  'store-full',
  `The store has ${MAX_STORED_PREFIXES.toLocaleString('en')} prefixes, the most that it can have. Delete one.`,
);
